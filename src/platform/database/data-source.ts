import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { isCluster } from './citus/distribute.js';
import { DatabaseHosts, WriterClient } from './hosts.js';
import { option, optionsOf, READ_SESSION, type Session } from './properties/settings.js';
import { ReplicationCancelled } from './replication.js';
import { SilentWorkers } from './citus/silent-workers.js';
import { LockWatch } from './faults/lock-watch.js';
import { Standby } from './standby.js';
import { Organizations1766270001000 } from '../../../migrations/1766270001000-organizations.js';
import { Chats1766270002000 } from '../../../migrations/1766270002000-chats.js';
import { Events1766270003000 } from '../../../migrations/1766270003000-events.js';
import { BotConnections1766270004000 } from '../../../migrations/1766270004000-bot-connections.js';
import { Finding1766270005000 } from '../../../migrations/1766270005000-finding.js';
import { Reaching1766270006000 } from '../../../migrations/1766270006000-reaching.js';
import { ReturnedChats1766270007000 } from '../../../migrations/1766270007000-returned-chats.js';
import { Lockout } from './key/lockout.js';
import { TIME_LIMITS_MS } from '../lib/time-limits.js';

// A list instead of a glob, because globs break when the modules are loaded once for many test files.
export const MIGRATIONS = [
  Organizations1766270001000,
  Chats1766270002000,
  Events1766270003000,
  BotConnections1766270004000,
  Finding1766270005000,
  Reaching1766270006000,
  ReturnedChats1766270007000,
];

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/**
 * Query planner settings. Sequential scans are off: every statement finds its rows by an index, and a plan that was
 * cached while a table was small must also fit a large one. Generic plans only: replanning for other values takes
 * longer than the statements. No JIT compilation: the statements are short.
 */
export const PLANNING = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

/**
 * On a Citus cluster, the coordinator needs the values of a statement to find the shard. A statement about all shards uses one connection
 * to each worker: by default, Citus opens more after 10 ms, and starting one takes longer than asking the shards in turn.
 */
export const CLUSTER_PLANNING = `${PLANNING.replace('force_generic_plan', 'force_custom_plan')} -c citus.max_adaptive_executor_pool_size=1`;

/**
 * The PostgreSQL function that warns when its wait for a synchronous standby is canceled. Other warnings have the same
 * SQLSTATE.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

const QUERY_CANCELED = '57014';

interface SafeConfig {
  hosts: DatabaseHosts;
  standby: Standby;
  silentWorkers: SilentWorkers;
  lockout: Lockout;
  locks: LockWatch;
  isDistributed?: boolean;
}

/**
 * A connection whose loss never becomes an unhandled error, which would end the process. The pool handles errors of an
 * idle connection, and TypeORM errors of a connection in use, but a connection may be lost in between or report its end
 * twice.
 *
 * It enforces the silence limit itself: node-postgres creates a timer per query (`query_timeout`) that keeps the rows
 * of all queries in memory until the next full garbage collection.
 */
class SafeClient extends WriterClient {
  /** Whether the database is a Citus cluster. */
  readonly isDistributed: boolean;
  private readonly standby: Standby;
  private readonly silentWorkers: SilentWorkers;
  private readonly lockout: Lockout;
  private readonly locks: LockWatch;

  constructor(config: ClientConfig & SafeConfig) {
    super(config);
    this.standby = config.standby;
    this.silentWorkers = config.silentWorkers;
    this.lockout = config.lockout;
    this.locks = config.locks;
    this.isDistributed = config.isDistributed === true;
    this.on('notice', ({ routine, message }) => {
      // The statement's own result is still on its way, and would report success.
      if (routine === WAIT_FOR_STANDBY) this.fail(new ReplicationCancelled(message));
    });
    this.on('connect', () => {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      // Not as the second argument: that listener would be called once, even for an idle connection.
      stream.setTimeout(TIME_LIMITS_MS.commit);
      stream.on('timeout', () => {
        if (!this.hasQuery) return;
        this.standby.checkSoon();
        this.locks.checkSoon();
        if (this.isDistributed) this.silentWorkers.checkSoon();
        const { bytesRead } = stream;
        const end = () => stream.bytesRead === bytesRead && stream.destroy(new Error('Query read timeout'));
        setTimeout(end, TIME_LIMITS_MS.silence - TIME_LIMITS_MS.commit).unref();
      });
    });
  }

  // node-postgres accepts eight forms of this call.
  override query(...call: unknown[]): never {
    const error =
      this.lockout.findRefusal(call[0]) ??
      this.standby.findRefusal(call[0]) ??
      this.silentWorkers.findRefusal(valuesOf(call));
    if (error) return refuse(error, call.at(-1)) as never;
    return (super.query as (...call: unknown[]) => never).apply(this, call);
  }

  // The coordinator reports a time-out before the silent worker has answered. If the pool lent this connection again, the next statement
  // would wait for that worker too.
  protected override onErrorCode(code: string): void {
    super.onErrorCode(code);
    if (this.isDistributed && code === QUERY_CANCELED) void this.end();
  }

  private get hasQuery(): boolean {
    return !(this as unknown as { readyForQuery: boolean }).readyForQuery;
  }
}

function valuesOf([statement, values]: unknown[]): unknown[] {
  if (Array.isArray(values)) return values;
  return (statement as { values?: unknown[] } | undefined)?.values ?? [];
}

function refuse(error: Error, callback: unknown): Promise<never> | void {
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback as (error: Error) => void, error);
}

export function serviceDataSource(url: string, poolSize: number): DataSourceOptions {
  const hosts = new DatabaseHosts(url);
  return {
    ...base(),
    poolSize,
    extra: {
      Client: SafeClient,
      hosts,
      standby: new Standby(hosts),
      silentWorkers: new SilentWorkers(hosts),
      lockout: new Lockout(),
      locks: new LockWatch(hosts),
      connectionTimeoutMillis: TIME_LIMITS_MS.connection,
      statement_timeout: TIME_LIMITS_MS.statement,
      keepAlive: true,
      options: `${PLANNING} -c idle_in_transaction_session_timeout=${TIME_LIMITS_MS.pause}`,
    },
  };
}

/** The data source of the service, with options that depend on its database. */
export async function createServiceDataSource(options: DataSourceOptions): Promise<DataSource> {
  const { hosts, ...extra } = (options as { extra: { hosts: DatabaseHosts; options: string } }).extra;
  // A role's own limit may be shorter than its slowest answer.
  const limits = { statement_timeout: TIME_LIMITS_MS.statement, connectionTimeoutMillis: TIME_LIMITS_MS.connection };
  const client = new WriterClient({ hosts, ...limits, options: optionsOf() });
  await client.connect();
  try {
    const query = async (text: string) => (await client.query(text)).rows as never;
    const [session] = (await query(READ_SESSION)) as Session[];
    const own = `${extra.options} ${optionsOf(session)}`;
    if (!(await isCluster(query)))
      return new DataSource({ ...options, extra: { ...extra, hosts, options: own } } as DataSourceOptions);
    const planning = own.replace(PLANNING, CLUSTER_PLANNING);
    // A new connection is slow until it has used each shard once, so idle ones are kept.
    const cluster = { options: planning, isDistributed: true, idleTimeoutMillis: 0 };
    return new DataSource({ ...options, extra: { ...extra, hosts, ...cluster } } as DataSourceOptions);
  } finally {
    await client.end();
  }
}

/** Migrations have no statement timeout, even if the role has one. */
export const NO_TIME_LIMITS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/**
 * A change that waits for its table blocks all later statements on that table, so it waits 1 s at most, far less than a
 * statement may take. Tables that only grow, as some servers make them by default, can't be updated.
 */
const MIGRATION_OPTIONS = `${NO_TIME_LIMITS} -c default_table_access_method=heap -c check_function_bodies=on`;

/**
 * The data source for migrations: one connection.
 * @param indexWait milliseconds that an index build may wait for each transaction of others (`migrations/support/concurrently.ts`)
 */
export function migrationDataSource(url: string, session?: Session, indexWait?: number): DataSource {
  const hosts = new DatabaseHosts(url);
  const wait = indexWait === undefined ? '' : option('parley.index_wait', `${indexWait}ms`);
  const options = `${MIGRATION_OPTIONS} ${optionsOf(session)} ${option('lock_timeout', '1s')} ${wait}`;
  return new DataSource({
    ...base(),
    // TypeORM would print each failed attempt to the console, and the error already has the details.
    logger: 'debug',
    poolSize: 1,
    extra: { Client: WriterClient, hosts, keepAlive: true, options },
  });
}

// Without an address: each connection finds the host that accepts writes.
function base() {
  return {
    type: 'postgres',
    applicationName: 'parley',
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
  } as const;
}
