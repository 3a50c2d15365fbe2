import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf } from '../../faults/support/processes.js';
import { findAccount, findBinaries } from '../../support/debian-postgres.mjs';
import { disown, own, signal } from '../../support/owned.js';
import { freePort } from '../../support/ports.mjs';
import { Road } from '../../support/road.js';
import { Daemon } from './daemon.js';

/** The size of a database's disk. */
const DISK = 'size=700m';

export type Role = 'leader' | 'sync_standby' | 'replica';

/** Patroni and its PostgreSQL on one machine, with the machine's network to the others. */
export class Member {
  private patroni: Daemon | null = null;
  private readonly account = findAccount();
  /** Whether the database has a small disk of its own, which only root can make. */
  hasOwnDisk = false;

  private constructor(
    readonly name: string,
    private readonly directory: string,
    /** The ports of PostgreSQL and of Patroni's API, for the service and HAProxy. */
    readonly port: string,
    readonly api: string,
    /** How the other members reach them, and how this one reaches etcd. */
    private readonly roads: { postgres: Road; api: Road; etcd: Road },
  ) {}

  static async create(name: string, parent: string, etcd: string): Promise<Member> {
    const [port, api] = [await freePort(), await freePort()];
    const roads = {
      postgres: await Road.to(`http://127.0.0.1:${port}`),
      api: await Road.to(`http://127.0.0.1:${api}`),
      etcd: await Road.to(etcd),
    };
    const member = new Member(name, join(parent, name), port, api, roads);
    mkdirSync(member.directory);
    mkdirSync(member.disk);
    writeFileSync(member.file('patroni.yml'), JSON.stringify(member.configuration(), null, 2));
    member.mount();
    const { uid, gid } = member.account;
    if (uid !== undefined) for (const path of [member.directory, member.disk]) chownSync(path, uid, gid!);
    return member;
  }

  get url(): string {
    return `postgres://parley@127.0.0.1:${this.port}/postgres`;
  }

  get log(): string {
    return this.file('patroni.log');
  }

  /** The folder of the database. */
  private get data(): string {
    return join(this.disk, 'data');
  }

  async start(): Promise<void> {
    this.patroni = await Daemon.start('patroni', [this.file('patroni.yml')], this.log, {
      ...this.account,
      cwd: '/',
      env: { ...process.env, HOME: this.directory },
    });
  }

  /** Like a machine that loses power. */
  async kill(): Promise<void> {
    const processes = this.processes();
    for (const pid of processes) {
      signal(pid, 'SIGKILL');
      disown(pid);
    }
    await this.patroni?.end('SIGKILL');
    this.patroni = null;
  }

  freeze(): void {
    for (const pid of this.processes()) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.processes()) signal(pid, 'SIGCONT');
  }

  /** Cuts it off from the other members and from etcd. The service still reaches it. */
  isolate(): void {
    for (const road of Object.values(this.roads)) road.cut();
  }

  rejoin(): void {
    for (const road of Object.values(this.roads)) road.isCut = false;
  }

  /** Leaves no space on the disk of the database. */
  fillDisk(): void {
    const zeros = Buffer.alloc(65_536);
    try {
      for (;;) appendFileSync(this.ballast, zeros);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  freeDisk(): void {
    rmSync(this.ballast);
  }

  /** Asks Patroni's API. */
  async ask(path: string, body?: object): Promise<{ status: number; text: string }> {
    const options = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const signalAfter = AbortSignal.timeout(60_000);
    const response = await fetch(`http://127.0.0.1:${this.api}${path}`, { ...options, signal: signalAfter });
    return { status: response.status, text: await response.text() };
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.kill();
    for (const road of Object.values(this.roads)) await road.close();
    if (this.hasOwnDisk) execFileSync('umount', ['--lazy', this.disk]);
  }

  private mount(): void {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', this.disk], { stdio: 'ignore' });
      this.hasOwnDisk = true;
    } catch {
      // Not root, or a container that may not mount.
    }
  }

  private get disk(): string {
    return this.file('disk');
  }

  private get ballast(): string {
    return join(this.disk, 'ballast');
  }

  private processes(): number[] {
    const postmaster = this.postmaster();
    const postgres = postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)];
    if (postmaster !== null) own(postmaster);
    return [...(this.patroni ? [this.patroni.pid] : []), ...postgres];
  }

  private postmaster(): number | null {
    try {
      return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return null;
    }
  }

  private file(name: string): string {
    return join(this.directory, name);
  }

  private configuration(): object {
    const { postgres, api, etcd } = this.roads;
    const host = (road: Road) => new URL(road.url).host;
    return {
      scope: 'parley',
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.api}`, connect_address: host(api) },
      etcd3: { hosts: [host(etcd)], use_proxies: true },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 5,
          synchronous_mode: true,
          // A database that crashes, because its disk is full, is replaced immediately.
          primary_start_timeout: 0,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            // A primary that returns needs the log from before its slot was made.
            parameters: { min_wal_size: '4MB', wal_keep_size: '256MB' },
          },
        },
        // Small segments, so that a full disk is noticed soon.
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { 'wal-segsize': '1' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: host(postgres),
        data_dir: this.data,
        bin_dir: findBinaries(),
        pgpass: this.file('pgpass'),
        parameters: { unix_socket_directories: this.directory },
        authentication: {
          superuser: { username: 'parley', password: 'parley' },
          replication: { username: 'replicator', password: 'replicator' },
        },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    };
  }
}
