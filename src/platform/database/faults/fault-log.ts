import { Logger } from '@nestjs/common';
import type { Cause, LockHolder } from '../../errors/cause.js';
import { LogSampler } from '../../telemetry/log-sampler.js';
import type { Counter } from '../../telemetry/metrics.js';
import { causeOf } from './cause.js';

/** A cause of the last hour, for operators. */
export interface RecentCause extends Cause {
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** How long a cause is remembered, in milliseconds, and how many at most. */
const REMEMBERED_MS = 60 * 60_000;
const MAX_REMEMBERED = 20;

/**
 * The most lines a minute about one cause: of requests, of tasks, and of its begins and ends. With the line that counts the others, that's 6.
 * A lock may show as two causes, because statements may run out of time before its holder is found.
 */
const MAX_LINES_OF_REQUESTS = 2;
const MAX_LINES_OF_TASKS = 1;
const MAX_LINES_OF_CHANGES = 2;

/** Causes that may hide a lock, because the statement or the request only ran out of time. */
const MAY_BE_LOCK = new Set(['timeout', 'database_slow', 'database_lock']);

/** The fields of a log line that say what it's about: of a request over HTTP, its method; of a socket's, its event. */
interface Fields {
  err?: unknown;
  cause?: Cause;
  method?: unknown;
  route?: unknown;
  request?: unknown;
}

/**
 * Remembers and counts why requests and tasks failed, and limits the log lines about each cause: 6 a minute, however many requests fail.
 */
export class FaultLog {
  private readonly logger = new Logger('Faults');
  private readonly sampler = new LogSampler((omitted) =>
    this.logger.error({ omitted }, 'left out further lines of these causes'),
  );
  private readonly remembered = new Map<string, RecentCause>();
  private readonly listeners: ((cause: Cause) => void)[] = [];
  private countersOf?: (name: string) => Counter;
  private findHolder: () => LockHolder | null = () => null;

  countIn(countersOf: (name: string) => Counter): void {
    this.countersOf = countersOf;
  }

  /** @param findHolder who held the lock that statements waited for a moment ago */
  findHolderBy(findHolder: () => LockHolder | null): void {
    this.findHolder = findHolder;
  }

  /** Calls the listener with each cause. */
  onCause(listener: (cause: Cause) => void): void {
    this.listeners.push(listener);
  }

  /** The causes of the last hour, the latest first. */
  get recent(): RecentCause[] {
    const since = Date.now() - REMEMBERED_MS;
    return [...this.remembered.values()].filter(({ lastAt }) => lastAt.getTime() > since).toReversed();
  }

  /** Counts a failed request or task. Returns its cause, with the holder of the lock that it waited for. */
  note(given: Cause): Cause {
    const cause = this.explain(given);
    this.countersOf?.(cause.name).add();
    this.remember(cause);
    for (const listener of this.listeners) listener(cause);
    return cause;
  }

  /** Counts a task that failed with this error, unless a request reports it. Returns its cause; null if the error isn't a known one. */
  noteError(error: unknown): Cause | null {
    const cause = causeOf(error);
    return cause && this.note(cause);
  }

  /** Whether to write a line of the log. Lines without an error or a cause are always written. */
  admits(fields: unknown, message: unknown): boolean {
    const { err, cause, method, route, request } = toFields(fields);
    if (cause && method === undefined && request === undefined) return this.admitsTask(keyOf(cause));
    if (cause) return this.sampler.admits(keyOf(cause), MAX_LINES_OF_REQUESTS);
    if (err === undefined) return true;
    const found = this.noteError(err);
    if (found) return this.admitsTask(keyOf(found));
    const { name, code } = (err ?? {}) as { name?: unknown; code?: unknown };
    return this.sampler.admits([message, code ?? name, route ?? request].filter(Boolean).join(' '));
  }

  // Once requests name a cause, tasks add nothing: a fault that shows as several causes would have too many lines.
  private admitsTask(cause: string): boolean {
    return this.sampler.admits(`tasks ${cause}`, this.sampler.has(cause) ? 0 : MAX_LINES_OF_TASKS);
  }

  /** Whether to write a line about the begin or the end of a fault. */
  admitsChange(cause: Cause): boolean {
    return this.sampler.admits(`changes ${keyOf(cause)}`, MAX_LINES_OF_CHANGES);
  }

  onApplicationShutdown(): void {
    this.sampler.flush();
  }

  /** Adds the holder of a lock to a cause that may hide one. */
  explain(cause: Cause): Cause {
    const holder = MAY_BE_LOCK.has(cause.name) ? this.findHolder() : null;
    return holder ? { ...cause, name: 'database_lock', holder } : cause;
  }

  // The key of a map that is set again stays in its place, so it's deleted first.
  private remember(cause: Cause): void {
    const key = keyOf(cause);
    const now = new Date();
    const { count = 0, firstAt = now } = this.remembered.get(key) ?? {};
    this.remembered.delete(key);
    this.remembered.set(key, { ...cause, count: count + 1, firstAt, lastAt: now });
    if (this.remembered.size > MAX_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
  }
}

/** Causes that show in several codes. */
const OF_SEVERAL_CODES = new Set([
  'database_unreachable',
  'database_slow',
  'database_lock',
  'database_read_only',
  'database_stopped',
]);

/** What lines are counted by. The lock of another session is another cause. */
function keyOf({ name, code, limit, holder }: Cause): string {
  if (holder) return `${name} ${holder.pid}`;
  if (name === 'timeout') return 'database_slow';
  return [name, OF_SEVERAL_CODES.has(name) ? undefined : (limit ?? code)].filter(Boolean).join(' ');
}

function toFields(fields: unknown): Fields {
  if (fields instanceof Error) return { err: fields };
  return typeof fields === 'object' && fields !== null ? (fields as Fields) : {};
}
