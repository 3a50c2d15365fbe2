import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areReady, type Installation, type Node, startNodes } from '../../faults/support/cluster.js';
import { queryOnce } from '../../support/database.js';
import { findAccount } from '../../support/debian-postgres.mjs';
import { eventually, until } from '../../support/eventually.js';
import { freePort } from '../../support/ports.mjs';
import { RedisServer } from '../../support/redis.js';
import { Daemon, tailOf } from './daemon.js';
import { Member, type Role } from './member.js';

/** How long Patroni may take to get both databases into place, in milliseconds. */
const PATIENCE = 90_000;

/**
 * Two databases under Patroni with a synchronous standby, etcd, HAProxy, Redis, and three nodes. Two nodes use HAProxy's address,
 * the third one the addresses of both databases.
 */
export class PatroniCluster implements Installation {
  nodes: Node[] = [];
  redis!: RedisServer;
  /** Reads from the primary, over HAProxy. */
  readonly postgres = {
    query: <T extends object>(text: string, values: unknown[] = []) => queryOnce<T>(this.url, text, values),
  };
  private readonly directory = mkdtempSync(join(tmpdir(), 'parley-patroni-'));
  private readonly daemons: Daemon[] = [];
  private members: Member[] = [];
  private port = '';

  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    chmodSync(cluster.directory, 0o755);
    const etcd = await cluster.startEtcd();
    for (const name of ['a', 'b']) cluster.members.push(await Member.create(name, cluster.directory, etcd));
    await cluster.startProxy();
    for (const member of cluster.members) await member.start();
    await cluster.isInPlace();
    cluster.redis = await RedisServer.start();
    const [a, b] = cluster.members as [Member, Member];
    const both = `postgres://parley@127.0.0.1:${a.port},127.0.0.1:${b.port}/postgres?target_session_attrs=read-write`;
    cluster.nodes = await startNodes([cluster.url, cluster.url, both], cluster.redis);
    return cluster;
  }

  /** HAProxy's address, which leads to the primary. */
  get url(): string {
    return `postgres://parley@127.0.0.1:${this.port}/postgres`;
  }

  /** Waits until one database is the primary and the other its synchronous standby. */
  async isInPlace(): Promise<{ primary: Member; standby: Member }> {
    const read = () => this.roles().catch(() => new Map<string, Role>());
    const isThere = (roles: Map<string, Role>) =>
      this.members.length === roles.size && [...roles.values()].toSorted().join() === 'leader,sync_standby';
    try {
      const roles = await eventually(read, isThere, PATIENCE);
      const find = (role: Role) => this.members.find(({ name }) => roles.get(name) === role)!;
      const placed = { primary: find('leader'), standby: find('sync_standby') };
      await until('HAProxy leads to the primary', async () => (await this.portOfPrimary()) === placed.primary.port);
      return placed;
    } catch (error) {
      const logs = this.members.map(({ name, log }) => `${name}: ${tailOf(log)}`);
      throw new Error(`${(error as Error).message}\n${logs.join('\n')}`, { cause: error });
    }
  }

  /** Waits until a member accepts writes. Returns when, in milliseconds of `performance.now()`. */
  async isPromoted({ url }: Member, patience = PATIENCE): Promise<number> {
    const isWriter = () =>
      queryOnce<{ isWriter: boolean }>(url, 'SELECT NOT pg_is_in_recovery() AS "isWriter"').then(
        ([row]) => row!.isWriter,
        () => false,
      );
    await until('the standby is promoted', isWriter, patience);
    return performance.now();
  }

  areReady(): Promise<void> {
    return areReady(this.nodes);
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.nodes.map((node) => node.stop()));
    await Promise.allSettled([this.redis?.kill(), ...this.members.map((member) => member.stop())]);
    for (const daemon of this.daemons.reverse()) await daemon.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async roles(): Promise<Map<string, Role>> {
    const text = await Promise.any(this.members.map(async (member) => (await member.ask('/cluster')).text));
    const { members } = JSON.parse(text) as { members: { name: string; role: Role; state: string }[] };
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
    return new Map(running.map(({ name, role }) => [name, role]));
  }

  private async portOfPrimary(): Promise<string | null> {
    const query = `SELECT current_setting('port') AS port WHERE NOT pg_is_in_recovery()`;
    const rows = await this.postgres.query<{ port: string }>(query).catch(() => []);
    return rows[0]?.port ?? null;
  }

  private async startEtcd(): Promise<string> {
    const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    const data = this.folder('etcd');
    const options = {
      name: 'one',
      'data-dir': data,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `one=${peer}`,
      logger: 'zap',
    };
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    await this.daemon('etcd', args);
    await until('etcd answers', () =>
      fetch(`${client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return client;
  }

  private async startProxy(): Promise<void> {
    this.port = await freePort();
    const file = join(this.folder('haproxy'), 'haproxy.cfg');
    writeFileSync(file, haproxy(this.port, this.members));
    await this.daemon('haproxy', ['-db', '-f', file]);
  }

  private async daemon(program: string, args: string[]): Promise<void> {
    const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
    this.daemons.push(await Daemon.start(program, args, join(this.directory, `${program}.log`), { env }));
  }

  private folder(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path);
    const { uid, gid } = findAccount();
    if (uid !== undefined) chownSync(path, uid, gid!);
    return path;
  }
}

/** The configuration of docs/operate/failover.md. */
function haproxy(port: string, members: readonly Member[]): string {
  const servers = members.map((member) => `  server ${member.name} 127.0.0.1:${member.port} check port ${member.api}`);
  return `
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
