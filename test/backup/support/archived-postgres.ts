import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { queryOnce } from '../../support/database.js';
import { findAccount, findBinaries } from '../../support/debian-postgres.mjs';
import { until } from '../../support/eventually.js';
import { freePort } from '../../support/ports.mjs';

const run = promisify(execFile);

/** A PostgreSQL that archives its log as docs/operate/backup.md says, and its restored copy. */
export class ArchivedPostgres {
  private readonly account = findAccount();
  private readonly directory = mkdtempSync(join(tmpdir(), 'parley-archive-'));
  private readonly running = new Set<string>();
  private port = '';

  /** @param settings the lines of `postgresql.conf`; ARCHIVE is the archive's folder */
  static async start(settings: readonly string[]): Promise<ArchivedPostgres> {
    const postgres = new ArchivedPostgres();
    const { directory, account } = postgres;
    mkdirSync(postgres.archive);
    if (account.uid !== undefined)
      for (const path of [directory, postgres.archive]) chownSync(path, account.uid, account.gid!);
    const data = join(directory, 'data');
    await postgres.run('initdb', '-D', data, '--username=parley', '--auth=trust', '--encoding=UTF8', '--locale=C');
    appendFileSync(join(data, 'postgresql.conf'), postgres.fill(settings));
    postgres.port = await postgres.open(data);
    return postgres;
  }

  get url(): string {
    return `postgres://parley@127.0.0.1:${this.port}/postgres`;
  }

  query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return queryOnce<T>(this.url, text, values);
  }

  async backUp(): Promise<void> {
    const target = join(this.directory, 'base');
    const from = ['--host=127.0.0.1', `--port=${this.port}`, '--username=parley'];
    await this.run('pg_basebackup', ...from, '--checkpoint=fast', `--pgdata=${target}`);
  }

  /** Waits until the archive has everything that is committed now. */
  async archiveAll(): Promise<void> {
    const [last] = await this.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    const archived = 'SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1';
    await until('the log is archived', async () => (await this.query(archived, [last!.file])).length > 0);
  }

  /** Loses the server, and starts the backup with the log. */
  async restore(settings: readonly string[]): Promise<void> {
    await this.close(join(this.directory, 'data'), 'immediate');
    const base = join(this.directory, 'base');
    appendFileSync(join(base, 'postgresql.conf'), this.fill(settings));
    writeFileSync(join(base, 'recovery.signal'), '');
    this.port = await this.open(base);
    const recovering = async () =>
      (await this.query<{ isOver: boolean }>('SELECT NOT pg_is_in_recovery() AS "isOver"'))[0];
    await until('the recovery is over', async () => (await recovering())!.isOver);
  }

  async stop(): Promise<void> {
    for (const data of this.running) await this.close(data, 'immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }

  private get archive(): string {
    return join(this.directory, 'archive');
  }

  private fill(settings: readonly string[]): string {
    return settings.map((line) => `${line.replaceAll('/var/lib/parley-wal', this.archive)}\n`).join('');
  }

  private async open(data: string): Promise<string> {
    const port = await freePort();
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    await this.run('pg_ctl', 'start', '-D', data, '-w', '-l', join(this.directory, 'log'), '-o', options);
    this.running.add(data);
    return port;
  }

  private async close(data: string, mode: string): Promise<void> {
    this.running.delete(data);
    await this.run('pg_ctl', 'stop', '-D', data, '-w', '-m', mode);
  }

  private run(program: string, ...parts: string[]): Promise<unknown> {
    return run(join(findBinaries(), program), parts, { ...this.account, cwd: '/' });
  }
}
