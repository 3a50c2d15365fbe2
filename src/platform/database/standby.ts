import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIME_LIMITS_MS } from '../lib/time-limits.js';
import { type DatabaseHosts, WriterClient } from './hosts.js';

/** The pause between two checks while the standby doesn't respond. */
const CHECK_PAUSE_MS = 500;
/** How long a check, or a commit that probes the standby, may take. */
const CHECK_TIMEOUT_MS = 2_000;

/** Not a SQLSTATE, so that nothing mistakes it for a code of the database. */
export const STANDBY_SILENT = 'standby_silent';

/**
 * A statement that was rejected because its commit would wait for a standby that doesn't respond. Nothing is stored.
 */
export class StandbySilentError extends Error {
  readonly code = STANDBY_SILENT;
}

/** Statements that need a commit because they write or lock rows, or read and wait for replication. */
const NEEDS_COMMIT = /\b(?:INSERT|UPDATE|DELETE|TRUNCATE|SHARE|append_messages_\d+|pg_logical_emit_message)\b/;
/** Statements whose commit never waits: those for events that bots fetch, and for delivery results. */
const COMMITS_ASYNC = /set_config\('synchronous_commit', (?:'off'|CASE WHEN true)/;

const HAS_WAITING = `
  SELECT EXISTS (SELECT FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - $1 * interval '1 ms') AS "hasWaiting"`;

const COMMIT = `SELECT pg_logical_emit_message(true, 'parley', '')`;

/**
 * Tracks whether the synchronous standby responds. When it doesn't, commits hang and each would keep its connection. So
 * once commits have waited for `TIME_LIMITS_MS.commit`, statements that need one are rejected, and reads continue.
 *
 * A backend that waits for its standby doesn't notice that its client has disconnected, and stays. So as long as any backend
 * waits for the standby, nothing is committed to test it; once the last one is done, one commit is tried.
 */
export class Standby {
  private readonly logger = new Logger('Database');
  private isDown = false;
  private isStopped = false;
  private watching: Promise<void> | null = null;
  private client: WriterClient | null = null;

  constructor(private readonly hosts: DatabaseHosts) {}

  /** Whether commits hang because the standby doesn't answer. */
  get isSilent(): boolean {
    return this.isDown;
  }

  /** A statement is slow: finds out whether it waits for the standby. Does nothing while a check is running. */
  checkSoon(): void {
    if (!this.isStopped) this.watching ??= this.watch().finally(() => (this.watching = null));
  }

  /** Why a statement isn't sent: its commit would hang. Null for a statement that may run. */
  findRefusal(statement: unknown): StandbySilentError | null {
    if (!this.isDown) return null;
    const text = typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');
    const wouldHang = NEEDS_COMMIT.test(text) && !COMMITS_ASYNC.test(text);
    return wouldHang ? new StandbySilentError("the standby doesn't answer") : null;
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    this.client?.drop('the service stops');
    await this.watching;
  }

  private async watch(): Promise<void> {
    while (await this.isHanging()) {
      if (this.isStopped) return;
      this.change(true);
      await sleep(CHECK_PAUSE_MS);
    }
    if (!this.isStopped) this.change(false);
  }

  // A failed check proves nothing about the standby: the primary may be busy, or out of connections because of it.
  private isHanging(): Promise<boolean> {
    return this.check().catch(() => this.isDown);
  }

  // Other commits may wait for some milliseconds at any time, even once the standby responds again.
  private async check(): Promise<boolean> {
    const longest = this.isDown ? CHECK_PAUSE_MS : TIME_LIMITS_MS.commit;
    const [found] = await this.query<{ hasWaiting: boolean }>(HAS_WAITING, [longest]);
    if (found?.hasWaiting) return true;
    return this.isDown && !(await this.commit());
  }

  /** Whether a commit is replicated in time. One that isn't keeps waiting in its backend, so no second one is tried. */
  private commit(): Promise<boolean> {
    return this.query(COMMIT).then(
      () => true,
      () => false,
    );
  }

  // Uses its own connection, because all of the pool's may hang.
  private async query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const { hosts } = this;
    const limits = { connectionTimeoutMillis: CHECK_TIMEOUT_MS, query_timeout: CHECK_TIMEOUT_MS };
    const client = new WriterClient({ hosts, ...limits });
    this.client = client;
    try {
      await client.connect();
      return (await client.query<R>(text, values)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  private change(isDown: boolean): void {
    if (isDown === this.isDown) return;
    this.isDown = isDown;
    if (isDown)
      this.logger.error('commits hang: the synchronous standby does not answer; nothing is stored until it does');
    else this.logger.log('the synchronous standby answers again');
  }
}
