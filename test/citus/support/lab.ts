import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Daemon } from '../../failover/support/daemon.js';
import { childrenOf } from '../../faults/support/processes.js';
import { queryOnce } from '../../support/database.js';
import { findAccount, findBinaries } from '../../support/debian-postgres.mjs';
import { until } from '../../support/eventually.js';
import { signal } from '../../support/owned.js';
import { freePort } from '../../support/ports.mjs';

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
wal_level = logical
max_connections = 200
max_prepared_transactions = 200
citus.node_conninfo = 'sslmode=prefer'
`;

/** A PostgreSQL with Citus. It keeps its port when it's restarted. */
class LabNode {
  private server: Daemon | null = null;
  private readonly account = findAccount();

  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(parent: string, name: string): Promise<LabNode> {
    const node = new LabNode(join(parent, name), Number(await freePort()));
    const { uid, gid } = node.account;
    mkdirSync(node.directory);
    if (uid !== undefined) chownSync(node.directory, uid, gid!);
    const initdb = ['-D', node.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(findBinaries(), 'initdb'), initdb, { ...node.account, cwd: '/', stdio: 'ignore' });
    appendFileSync(join(node.data, 'postgresql.conf'), `${SETTINGS}port = ${node.port}\n`);
    await node.restart();
    await queryOnce(node.urlOf('postgres'), 'CREATE DATABASE parley');
    await node.query('CREATE EXTENSION citus');
    return node;
  }

  get url(): string {
    return this.urlOf('parley');
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return queryOnce<T>(this.url, text, values);
  }

  /** Kills it and all its processes, like a machine that loses power. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (!server) return;
    const children = childrenOf(server.pid);
    const ended = server.end('SIGKILL');
    for (const pid of children) signal(pid, 'SIGKILL');
    await ended;
  }

  /** Lets it and all its processes stand still: it accepts connections and answers nothing. */
  async pause(): Promise<void> {
    this.signalAll('SIGSTOP');
  }

  async resume(): Promise<void> {
    this.signalAll('SIGCONT');
  }

  private signalAll(name: NodeJS.Signals): void {
    if (!this.server) return;
    for (const pid of [this.server.pid, ...childrenOf(this.server.pid)]) signal(pid, name);
  }

  /** Waits until it accepts connections. The remains of a killed server may take a moment to disappear. */
  async restart(): Promise<void> {
    await until('a node of the cluster starts', async () => {
      this.server ??= await this.spawn();
      const isReady = await queryOnce(this.urlOf('postgres'), 'SELECT').then(
        () => true,
        () => false,
      );
      if (!isReady && this.server.hasEnded) this.server = null;
      return isReady;
    });
  }

  private spawn(): Promise<Daemon> {
    const log = join(this.directory, 'log');
    return Daemon.start(join(findBinaries(), 'postgres'), ['-D', this.data], log, { ...this.account, cwd: '/' });
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  private urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }
}

/** A Citus cluster of its own, whose nodes can be killed. */
export class CitusLab {
  readonly workers: LabNode[] = [];

  private constructor(
    private readonly directory: string,
    readonly coordinator: LabNode,
  ) {}

  static async start(workers: number): Promise<CitusLab> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-citus-'));
    chmodSync(directory, 0o755);
    const coordinator = await LabNode.start(directory, 'coordinator');
    const lab = new CitusLab(directory, coordinator);
    await lab.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    await lab.query('ALTER DATABASE parley SET citus.shard_count = 4');
    while (lab.workers.length < workers) await lab.addWorker();
    return lab;
  }

  get url(): string {
    return this.coordinator.url;
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.coordinator.query<T>(text, values);
  }

  async addWorker(): Promise<void> {
    const worker = await LabNode.start(this.directory, `worker-${this.workers.length + 1}`);
    this.workers.push(worker);
    await this.query(`SELECT citus_add_node('127.0.0.1', ${worker.port})`);
  }

  /** The worker with an organization's rows. */
  async workerOf(organizationId: string): Promise<LabNode> {
    const [placement] = await this.query<{ port: number }>(
      `SELECT nodeport AS port FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('chats', $1::text)`,
      [organizationId],
    );
    return this.workers.find(({ port }) => port === placement!.port)!;
  }

  /** Moves an organization's rows to another worker while it's in use. */
  async move(organizationId: string): Promise<void> {
    const from = await this.workerOf(organizationId);
    const to = this.workers.find((worker) => worker !== from)!;
    await this.query(
      `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('chats', $1::text), '127.0.0.1', $2::integer, '127.0.0.1', $3::integer)`,
      [organizationId, from.port, to.port],
    );
  }

  async stop(): Promise<void> {
    for (const node of [this.coordinator, ...this.workers]) await node.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
