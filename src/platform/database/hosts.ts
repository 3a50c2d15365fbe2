import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parametersOf } from '../config/database-connection.js';
import { type Host, hostsOf } from '../config/database-url.js';

/** How long a host may take to report whether it accepts writes. */
const PROBE_TIMEOUT_MS = 2_000;
/** How long to wait for the other hosts once one accepts writes: one of them may have a later timeline. */
const OTHER_PROBES_GRACE_MS = 250;
const READ_ONLY = '25006';
const READ_ONLY_BY_DEFAULT = 'default_transaction_read_only';

/** The hosts of DATABASE_URL, and which of them accepts writes. */
export class DatabaseHosts {
  readonly hosts: readonly Host[];
  private writer: Host | null = null;
  private search: Promise<Host> | null = null;
  private readonly clients = new Set<WriterClient>();

  constructor(url: string) {
    this.hosts = hostsOf(url);
  }

  /** The host that accepts writes. @throws NoWriterError */
  async find(): Promise<Host> {
    const [only, ...others] = this.hosts;
    if (others.length === 0) return only!;
    return this.writer ?? (this.search ??= this.probe().finally(() => (this.search = null)));
  }

  add(client: WriterClient): void {
    this.clients.add(client);
  }

  remove(client: WriterClient): void {
    this.clients.delete(client);
  }

  /**
   * A connection to the host was lost or refused, or its database shut down. Finds the host that accepts writes now,
   * and drops the connections to the others.
   */
  onConnectionLost(host: Host): void {
    if (this.hosts.length === 1 || (this.writer !== host && this.writer !== null)) return;
    this.writer = null;
    this.find().catch(() => undefined);
  }

  /**
   * The host accepts no writes: it was demoted, or its address now leads to another database. Drops all connections to
   * it.
   */
  onReadOnly(host: Host): void {
    this.onConnectionLost(host);
    for (const client of this.clients) if (client.hostNow === host) client.drop('the database accepts no writes');
  }

  private async probe(): Promise<Host> {
    const writer = await findWriter(this.hosts);
    this.writer = writer;
    for (const client of this.clients) {
      if (client.hostNow !== writer) client.drop(`${writer.name} accepts writes now`);
    }
    return writer;
  }
}

/** No host of DATABASE_URL accepts writes. */
export class NoWriterError extends Error {
  /** SQLSTATE sqlclient_unable_to_establish_sqlconnection: the request may be retried. */
  readonly code = '08001';

  /** @param reasons why each host was rejected */
  constructor(
    message: string,
    readonly reasons: readonly Error[] = [],
  ) {
    super(message);
  }

  /** Whether a setting is the reason, and not a standby that may be promoted. */
  get isForGood(): boolean {
    return this.message.includes(READ_ONLY_BY_DEFAULT);
  }
}

// A primary that was suspended during a failover still believes it's the primary. Of several, the one with the latest
// timeline was promoted last.
async function findWriter(hosts: readonly Host[]): Promise<Host> {
  const found: { host: Host; timeline: number }[] = [];
  const probes = hosts.map(async (host) => found.push({ host, timeline: await readTimeline(host) }));
  try {
    await Promise.any(probes);
  } catch (error) {
    const errors = (error as AggregateError).errors as Error[];
    const reasons = errors.map(({ message }, index) => `${hosts[index]!.name}:${hosts[index]!.port}: ${message}`);
    const message = `no host of DATABASE_URL accepts writes (${reasons.join('; ')})`;
    throw new NoWriterError(message, errors);
  }
  await Promise.race([Promise.allSettled(probes), sleep(OTHER_PROBES_GRACE_MS)]);
  return found.reduce((best, one) => (one.timeline > best.timeline ? one : best)).host;
}

/** The timeline of a host that accepts writes. @throws Error for any other host */
async function readTimeline({ url }: Host): Promise<number> {
  const client = new pg.Client({
    application_name: 'parley',
    ...parametersOf(url),
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  const isReadOnly = watchReadOnly(client);
  try {
    await client.connect();
    if (isReadOnly()) throw Object.assign(new Error(`accepts no writes: ${isReadOnly()}`), { code: READ_ONLY });
    const query = `SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline`;
    return (await client.query<{ timeline: number }>(query)).rows[0]!.timeline;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Tracks why the server accepts no writes, which it reports while connecting and later. Empty if it accepts them. */
function watchReadOnly(client: pg.Client): () => string {
  const said = new Map<string, string>();
  connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) =>
    said.set(parameterName, parameterValue),
  );
  return () => {
    if (said.get('in_hot_standby') === 'on') return "it's a standby";
    if (said.get(READ_ONLY_BY_DEFAULT) !== 'on') return '';
    return `${READ_ONLY_BY_DEFAULT} is on for the server, the database, or the role ${client.user}; RESET it`;
  };
}

interface Connection {
  stream: { destroyed: boolean; destroy(error?: Error): void };
  on(event: 'parameterStatus', listener: (said: { parameterName: string; parameterValue: string }) => void): void;
  on(event: 'errorMessage', listener: (error: { code?: string }) => void): void;
  on(event: 'end', listener: () => void): void;
  emit(event: 'error', error: Error): void;
}

/** The part of a client that speaks the protocol. Its events are untyped. */
function connectionOf(client: pg.Client): Connection {
  return (client as unknown as { connection: Connection }).connection;
}

// Classes 08 (connection), and 57P01 to 57P03: the database is shutting down, has crashed, or is starting.
const CONNECTION_LOST = /^(?:08|57P0[123])/;

/** What DATABASE_URL says. Parley's own options come last, because PostgreSQL takes the last of several values. */
function configOf({ hosts, options, ...config }: pg.ClientConfig & { hosts: DatabaseHosts }): pg.ClientConfig {
  const given = parametersOf(hosts.hosts[0]!.url);
  const all = [given.options, options].filter((part) => part !== undefined).join(' ');
  return { ...config, ...given, application_name: given.application_name ?? config.application_name, options: all };
}

/** A connection to the host that accepts writes. */
export class WriterClient extends pg.Client {
  hostNow: Host | null = null;
  private readonly hosts: DatabaseHosts;
  private readonly isReadOnly = watchReadOnly(this);
  private isMeantToEnd = false;

  constructor(config: pg.ClientConfig & { hosts: DatabaseHosts }) {
    super(configOf(config));
    this.hosts = config.hosts;
    this.on('error', () => undefined);
    const connection = connectionOf(this);
    connection.on('errorMessage', ({ code = '' }) => this.onErrorCode(code));
    connection.on('end', () => {
      this.hosts.remove(this);
      if (!this.isMeantToEnd && this.hostNow) this.hosts.onConnectionLost(this.hostNow);
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | void {
    const connecting = this.connectToWriter();
    if (!callback) return connecting;
    connecting.then((client) => callback(null as never, client), callback as (error: Error) => void);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.isMeantToEnd = true;
    return callback ? super.end(callback) : super.end();
  }

  /** Ends the connection immediately; a running statement fails. */
  drop(reason: string): void {
    this.isMeantToEnd = true;
    this.fail(new Error(`Connection terminated: ${reason}`));
  }

  /** Makes the running statement fail, regardless of its result, and ends the connection. */
  protected fail(error: Error): void {
    const connection = connectionOf(this);
    connection.emit('error', error);
    connection.stream.destroy();
  }

  private async connectToWriter(): Promise<this> {
    const host = await this.hosts.find();
    // The pool gave up while the host was being found.
    if (connectionOf(this).stream.destroyed) throw new Error('Connection terminated');
    if (this.hosts.hosts.length > 1) Object.assign(this, { host: host.name, port: host.port });
    this.hostNow = host;
    this.hosts.add(this);
    try {
      await super.connect();
    } catch (error) {
      this.hosts.onConnectionLost(host);
      throw error;
    }
    if (!this.isReadOnly()) return this;
    this.hosts.onReadOnly(host);
    throw new NoWriterError(`it accepts no writes: ${this.isReadOnly()}`);
  }

  /** Called before the running statement fails with this error. */
  protected onErrorCode(code: string): void {
    if (!this.hostNow) return;
    if (code === READ_ONLY) this.hosts.onReadOnly(this.hostNow);
    else if (CONNECTION_LOST.test(code)) this.hosts.onConnectionLost(this.hostNow);
  }
}

/** A dedicated connection to the host of a DATABASE_URL that accepts writes. */
export function writerClient(url: string, config: pg.ClientConfig = {}): WriterClient {
  const hosts = new DatabaseHosts(url);
  return new WriterClient({ ...config, hosts });
}
