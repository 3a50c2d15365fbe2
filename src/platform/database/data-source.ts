import type { Socket } from 'node:net';
import pg, { type ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Foundation1763700000000 } from '../../../migrations/1763700000000-foundation.js';
import { Webhooks1763800000000 } from '../../../migrations/1763800000000-webhooks.js';
import { RepliesAndReads1763900000000 } from '../../../migrations/1763900000000-replies-and-reads.js';
import { DataRemoval1764000000000 } from '../../../migrations/1764000000000-data-removal.js';
import { DataRemovalIndexes1764010000000 } from '../../../migrations/1764010000000-data-removal-indexes.js';
import { Traces1764050000000 } from '../../../migrations/1764050000000-traces.js';
import { VisitorSessions1764100000000 } from '../../../migrations/1764100000000-visitor-sessions.js';
import { ListIndexes1764110000000 } from '../../../migrations/1764110000000-list-indexes.js';
import { AnonymousRetention1764120000000 } from '../../../migrations/1764120000000-anonymous-retention.js';
import { AgentsOfActiveChats1764130000000 } from '../../../migrations/1764130000000-agents-of-active-chats.js';
import { AnonymousRetentionIndex1764121000000 } from '../../../migrations/1764121000000-anonymous-retention-index.js';

// A list, never a glob: a glob breaks where modules are loaded once for many test files.
const MIGRATIONS = [
  Foundation1763700000000,
  Webhooks1763800000000,
  RepliesAndReads1763900000000,
  DataRemoval1764000000000,
  DataRemovalIndexes1764010000000,
  Traces1764050000000,
  VisitorSessions1764100000000,
  ListIndexes1764110000000,
  AnonymousRetention1764120000000,
  AnonymousRetentionIndex1764121000000,
  AgentsOfActiveChats1764130000000,
];

/** What a database that is up to date has been through. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** A statement may take this long, in milliseconds: a request ends with 503 rather than hang. */
const STATEMENT_TIMEOUT = 4_000;
/** A database that says nothing at all is given up after this time, in milliseconds, and the connection with it. */
const QUERY_TIMEOUT = 5_000;
/** A request waits this long for a free connection, in milliseconds. */
const CONNECTION_TIMEOUT = 3_000;

/**
 * Every statement finds its rows by an index. A plan that was made and kept while a table was small must be as good when
 * it is large; planning the same again for other values takes longer than what is planned; and what is short needs no
 * compiling.
 */
export const PLANNING = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

/**
 * A connection whose end is never an unhandled error. The pool listens for it while the connection is idle and TypeORM
 * while it uses it; one that ends in between, or says twice that it ends, would take the process with it.
 *
 * The connection itself sees to QUERY_TIMEOUT: the timer that node-postgres makes for each query (`query_timeout`) lets
 * the rows of all queries live until the next full garbage collection.
 */
class QuietClient extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    this.on('connect', () => {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      stream.setTimeout(QUERY_TIMEOUT, () => {
        if (this.isAsking) stream.destroy(new Error('Query read timeout'));
      });
    });
  }

  private get isAsking(): boolean {
    return !(this as unknown as { readyForQuery: boolean }).readyForQuery;
  }
}

/** How the service reaches its database. */
export function serviceDataSource(url: string, poolSize: number): DataSourceOptions {
  return {
    ...base(url),
    poolSize,
    extra: {
      Client: QuietClient,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      keepAlive: true,
      options: PLANNING,
    },
  };
}

/**
 * Migrations have all the time they need, whatever the role's settings are. But a change that waits for its table holds
 * up everybody who comes after it: it waits for a second, far less than STATEMENT_TIMEOUT.
 */
const MIGRATING = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=1s';

/** How migrations reach it: one connection. */
export function migrationDataSource(url: string): DataSource {
  // TypeORM would write of a failed try to the console; what matters of it is in the error.
  return new DataSource({ ...base(url), logger: 'debug', poolSize: 1, extra: { keepAlive: true, options: MIGRATING } });
}

function base(url: string) {
  return {
    type: 'postgres',
    url,
    applicationName: 'parley',
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  } as const;
}
