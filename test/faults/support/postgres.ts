import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';
import { Road } from '../../support/road.js';
import { disown, own, signal } from '../../support/owned.js';
import { queryOnce } from '../../support/database.js';
import { until } from '../../support/eventually.js';
import { childrenOf } from './processes.js';

/** What checks need of a database. */
export type Database = Pick<Postgres, 'query'>;

/** A PostgreSQL that can be killed and frozen. Nodes reach it through a proxy whose address never changes. */
export class Postgres {
  private readonly directory = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  private running!: EmbeddedPostgres;
  private pid = 0;
  road!: Road;

  static async start(): Promise<Postgres> {
    const postgres = new Postgres();
    chmodSync(postgres.directory, 0o755);
    await postgres.open();
    postgres.road = await Road.to(`http://${new URL(postgres.url).host}`);
    return postgres;
  }

  /** Its own address, without the proxy. */
  get url(): string {
    return this.running.url;
  }

  get urlByRoad(): string {
    const url = new URL(this.url);
    url.port = new URL(this.road.url).port;
    return url.href;
  }

  /** Kills it and all its processes, like a machine that loses power. */
  kill(): void {
    for (const pid of [this.pid, ...childrenOf(this.pid)]) signal(pid, 'SIGKILL');
    disown(this.pid);
  }

  async restart(): Promise<void> {
    await this.open();
    this.road.target = `http://${new URL(this.url).host}`;
  }

  /** Waits until a node sends it a matching statement. */
  async isAsked(pattern: RegExp): Promise<void> {
    let isAsked = false;
    this.road.losesAnswerTo = (said) => {
      isAsked ||= pattern.test(said.toString('latin1'));
      return false;
    };
    await until(`a node sends ${pattern}`, () => isAsked);
    this.road.losesAnswerTo = () => false;
  }

  freeze(): void {
    signal(this.pid, 'SIGSTOP');
    for (const pid of childrenOf(this.pid)) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [...childrenOf(this.pid), this.pid]) signal(pid, 'SIGCONT');
  }

  async terminateAll(): Promise<void> {
    const others = `backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await this.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return queryOnce<T>(this.url, text, values);
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.road.close();
    await this.running.stop().catch(() => this.kill());
    disown(this.pid);
    rmSync(this.directory, { recursive: true, force: true });
  }

  // A killed server's remains may take a moment to disappear.
  private async open(): Promise<void> {
    await until('PostgreSQL starts', async () => {
      try {
        this.running = await startEmbeddedPostgres(this.directory);
        return true;
      } catch {
        return false;
      }
    });
    this.pid = Number(readFileSync(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    own(this.pid);
  }
}
