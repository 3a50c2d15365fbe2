import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { queryOnce } from '../../support/database.js';
import { until } from '../../support/eventually.js';
import { disown, own, signal } from '../../support/owned.js';
import { Road } from '../../support/road.js';
import { childrenOf } from '../../faults/support/processes.js';

/** A primary and its synchronous standby, with a connection between them that can be cut. */
export class Pair {
  private constructor(
    private readonly directory: string,
    private primary: Server,
    readonly standby: Server,
    readonly wire: Road,
  ) {}

  static async start(): Promise<Pair> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-failover-'));
    chmodSync(directory, 0o755);
    const first = await Server.start(join(directory, 'a'));
    await migrate(first.url);
    await first.stop();
    // A copy of a stopped cluster is a base backup.
    execFileSync('cp', ['-a', first.directory, join(directory, 'b')]);
    const primary = await Server.start(first.directory);
    const wire = await Road.to(`http://${new URL(primary.url).host}`);
    const standby = await Server.startAsStandby(join(directory, 'b'), primary.url, wire);
    const pair = new Pair(directory, primary, standby, wire);
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.query('SELECT pg_reload_conf()');
    await until('the standby is synchronous', async () => {
      const rows = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
    return pair;
  }

  get url(): string {
    return this.primary.url;
  }

  /** Both hosts, the standby first. */
  get urlOfBoth(): string {
    const [url, other] = [new URL(this.url), new URL(this.standby.url)];
    return url.href.replace(url.host, `${other.host},${url.host}`) + '?target_session_attrs=read-write';
  }

  /** Loses everything that the primary sends from now on. */
  cutWire(): void {
    this.wire.freeze();
  }

  mendWire(): void {
    this.wire.thaw();
  }

  /** Statements of a kind that wait for the standby. */
  waiting(): Promise<{ pid: number; query: string }[]> {
    return this.primary.query(`SELECT pid, query FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.primary.query<T>(text, values);
  }

  /** Kills the primary, and promotes the standby with the data it has. */
  async failOver(): Promise<void> {
    this.primary.kill();
    await this.promote();
  }

  async promote(): Promise<void> {
    this.wire.cut();
    await this.standby.query('SELECT pg_promote()');
  }

  freezePrimary(): void {
    this.primary.signal('SIGSTOP');
  }

  thawPrimary(): void {
    this.primary.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    this.primary.kill();
    this.standby.kill();
    await this.wire.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

class Server {
  private pid = 0;

  private constructor(
    readonly directory: string,
    private readonly running: EmbeddedPostgres,
  ) {
    this.pid = Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    own(this.pid);
  }

  static async start(directory: string): Promise<Server> {
    return new Server(directory, await startEmbeddedPostgres(directory));
  }

  static async startAsStandby(directory: string, primaryUrl: string, wire: Road): Promise<Server> {
    const { username, password } = new URL(primaryUrl);
    const source = `host=127.0.0.1 port=${new URL(wire.url).port} user=${username} password=${password}`;
    const data = join(directory, 'postgres');
    writeFileSync(join(data, 'standby.signal'), '');
    writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    return Server.start(directory);
  }

  get url(): string {
    return this.running.url;
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return queryOnce<T>(this.url, text, values);
  }

  stop(): Promise<void> {
    disown(this.pid);
    return this.running.stop();
  }

  /** Sends a signal to all its processes. */
  signal(name: NodeJS.Signals): void {
    for (const pid of [this.pid, ...childrenOf(this.pid)]) signal(pid, name);
  }

  kill(): void {
    this.signal('SIGKILL');
    disown(this.pid);
  }
}
