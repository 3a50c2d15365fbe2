import { overloaded } from '../errors/problem.js';

/** Loads one value, in one query with others, and knows how many values are pending. */
export interface Batched<K, V> {
  (request: K): Promise<V>;
  readonly pending: number;
}

interface BatchOptions {
  pause?: number;
  maxWaiting?: number;
  limit?: (run: () => Promise<void>) => Promise<void>;
  overlaps?: boolean;
}

/** A batch of this size or less takes about as long as an empty one, so it isn't halved. */
const SMALL = 16;

interface Waiting<K, V> {
  request: K;
  resolve: (value: V) => void;
  reject: (reason: unknown) => void;
}

/**
 * Batches concurrent requests into shared queries. A batch holds the requests of one turn of the event loop; requests
 * that arrive while a query runs wait for it and form the next batches. There is no timer, so an idle system doesn't
 * wait and a busy one sends fewer queries. Nothing is cached: a value is never older than its request.
 * @param load answers up to `max` requests, in their order; an Error is the result of its own request only
 * @param maxWaiting requests that may wait; more are rejected immediately with 503
 * @param pause milliseconds between two queries, where fewer and larger queries matter more than latency
 * @param limit limits the queries of several batchers; requests that arrive while a batch waits for its turn join it
 * @param overlaps whether the next query is sent before the answers of the last one are passed on, if as many requests wait: so the database
 *   works while they are answered. A large batch then has at most half of both, because if it took turns with a small one, the database
 *   and this process would wait for each other.
 */
export function batch<K, V>(
  load: (requests: readonly K[]) => Promise<(V | Error)[]>,
  max: number,
  { pause = 0, maxWaiting = Number.POSITIVE_INFINITY, limit = (run) => run(), overlaps = false }: BatchOptions = {},
): Batched<K, V> {
  const waiting: Waiting<K, V>[] = [];
  let isBusy = false;
  let pending = 0;

  /** @param last how many requests the last query had; 0: none has run just before */
  const runNext = (last: number) => {
    isBusy = waiting.length > 0;
    if (isBusy) void limit(() => run(last));
  };
  const run = async (last: number) => {
    const half = Math.max(Math.ceil((last + waiting.length) / 2), SMALL);
    const sent = waiting.splice(0, overlaps && last > 0 ? Math.min(half, max) : max);
    const passOn = await answer(load, sent);
    if (overlaps && waiting.length >= sent.length) {
      runNext(sent.length);
      setImmediate(passOn);
      return;
    }
    passOn();
    if (pause > 0) setTimeout(runNext, pause, sent.length);
    else setImmediate(runNext, sent.length);
  };
  const add = (entry: Waiting<K, V>) => {
    waiting.push(entry);
    if (isBusy) return;
    isBusy = true;
    // Waits for the end of the turn, which brings the requests of many connections: they join this batch instead of the next.
    setImmediate(runNext, 0);
  };
  const batched = async (request: K): Promise<V> => {
    if (pending >= maxWaiting + max) throw overloaded(`${maxWaiting} requests wait for a shared query`);
    pending++;
    try {
      return await new Promise<V>((resolve, reject) => add({ request, resolve, reject }));
    } finally {
      pending--;
    }
  };
  return Object.defineProperty(batched, 'pending', { get: () => pending }) as Batched<K, V>;
}

/** Runs the query of these requests. Returns what passes on its answers. */
async function answer<K, V>(
  load: (requests: readonly K[]) => Promise<(V | Error)[]>,
  sent: readonly Waiting<K, V>[],
): Promise<() => void> {
  try {
    const answers = await load(sent.map(({ request }) => request));
    return () =>
      sent.forEach(({ resolve, reject }, index) => {
        const value = answers[index]!;
        if (value instanceof Error) reject(value);
        else resolve(value);
      });
  } catch (error) {
    return () => sent.forEach(({ reject }) => reject(error));
  }
}
