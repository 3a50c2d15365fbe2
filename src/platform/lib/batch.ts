import DataLoader from 'dataloader';
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
}

/**
 * Batches concurrent requests into shared queries. A batch holds the requests of one turn of the event loop; requests
 * that arrive while a query runs wait for it and form the next batches. There is no timer, so an idle system doesn't
 * wait and a busy one sends fewer queries. Nothing is cached: a value is never older than its request.
 * @param load answers up to `max` requests, in their order; an Error is the result of its own request only
 * @param maxWaiting requests that may wait; more are rejected immediately with 503
 * @param pause milliseconds between two queries, where fewer and larger queries matter more than latency
 * @param limit limits the queries of several batchers; requests that arrive while a batch waits for its turn join it
 */
export function batch<K, V>(
  load: (requests: readonly K[]) => Promise<(V | Error)[]>,
  max: number,
  { pause = 0, maxWaiting = Number.POSITIVE_INFINITY, limit }: BatchOptions = {},
): Batched<K, V> {
  const waitingBatches: (() => void)[] = [];
  let isBusy = false;
  let pending = 0;
  let endTurn: () => void = () => undefined;

  const start = (dispatch: () => void) => {
    if (!limit) return dispatch();
    void limit(async () => {
      const turn = new Promise<void>((resolve) => (endTurn = resolve));
      dispatch();
      await turn;
    });
  };
  const dispatchNext = () => {
    const next = waitingBatches.shift();
    if (next) start(next);
    else isBusy = false;
  };

  const loader = new DataLoader<K, V>(
    async (requests) => {
      try {
        return await load(requests);
      } finally {
        endTurn();
        if (pause > 0) setTimeout(dispatchNext, pause);
        else setImmediate(dispatchNext);
      }
    },
    {
      cache: false,
      maxBatchSize: max,
      batchScheduleFn: (dispatch) => {
        if (isBusy) return void waitingBatches.push(dispatch);
        isBusy = true;
        // Waits for the end of the turn, which brings the requests of many connections: they join this batch instead of
        // the next.
        setImmediate(start, dispatch);
      },
    },
  );
  const batched = async (request: K): Promise<V> => {
    if (pending >= maxWaiting + max) throw overloaded();
    pending++;
    try {
      return await loader.load(request);
    } finally {
      pending--;
    }
  };
  return Object.defineProperty(batched, 'pending', { get: () => pending }) as Batched<K, V>;
}
