import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { TIME_LIMITS_MS } from '../../platform/lib/time-limits.js';

const QUERY_CANCELED = '57014';

/** The time of a search is over. */
export class TimeIsOver extends Error {}

/** The time limit of a search. Waiting for a turn and a connection counts too. */
export class SearchTime {
  private readonly end = performance.now() + TIME_LIMITS_MS.search;

  /** A connection. @throws TimeIsOver */
  async connect(pool: Pool): Promise<PoolClient> {
    const connecting = pool.connect();
    const canceling = new AbortController();
    const ending = sleep(this.left(), null, { signal: canceling.signal }).catch(() => null);
    const client = await Promise.race([connecting, ending]);
    canceling.abort();
    if (client) return client;
    void connecting.then((late) => late.release()).catch(() => undefined);
    throw new TimeIsOver();
  }

  /** Runs a statement of a transaction within the time. @throws TimeIsOver; then the transaction has failed */
  async run<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
    try {
      await client.query(`SET LOCAL statement_timeout = ${this.left()}`);
      return await work();
    } catch (error) {
      throw (error as { code?: string }).code === QUERY_CANCELED ? new TimeIsOver() : error;
    }
  }

  /** Milliseconds that are left. @throws TimeIsOver */
  left(): number {
    const left = Math.floor(this.end - performance.now());
    if (left < 1) throw new TimeIsOver();
    return left;
  }
}
