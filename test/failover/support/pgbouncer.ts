import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryOnce } from '../../support/database.js';
import { findAccount } from '../../support/debian-postgres.mjs';
import { until } from '../../support/eventually.js';
import { freePort } from '../../support/ports.mjs';
import { Daemon } from './daemon.js';

/** The settings of docs/operate/scaling.md. PgBouncer older than 1.21 doesn't know `max_prepared_statements`. */
const SETTINGS = ['ignore_startup_parameters = extra_float_digits,options,statement_timeout', 'max_client_conn = 4000'];
const SETTINGS_FOR_TRANSACTIONS = ['max_prepared_statements = 200'];

/** The program: PGBOUNCER may name another one than the installed. */
const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer';

/** PgBouncer in front of a database. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly daemon: Daemon,
    private readonly directory: string,
  ) {}

  /** Whether the installed version keeps track of named statements, so that `pool_mode = transaction` works. */
  static get hasNamedStatements(): boolean {
    const [, major, minor] = /(\d+)\.(\d+)/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }))!;
    return Number(major) * 1000 + Number(minor) >= 1021;
  }

  /** @param settings lines instead of the settings in docs/operate/scaling.md */
  static async start(
    target: string,
    mode: 'session' | 'transaction',
    poolSize: number,
    settings = mode === 'transaction' ? [...SETTINGS, ...SETTINGS_FOR_TRANSACTIONS] : SETTINGS,
  ): Promise<PgBouncer> {
    const account = findAccount();
    const directory = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
    const { username, password, hostname, port, pathname } = new URL(target);
    const listenPort = await freePort();
    const ini = [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      ...settings,
    ];
    const file = join(directory, 'pgbouncer.ini');
    writeFileSync(file, `${ini.join('\n')}\n`);
    if (account.uid !== undefined) for (const path of [directory, file]) chownSync(path, account.uid, account.gid!);
    const daemon = await Daemon.start(PROGRAM, [file], join(directory, 'log'), { ...account, cwd: '/' });
    const url = `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`;
    await until('PgBouncer answers', () => queryOnce(url, 'SELECT 1').then(Boolean, () => false));
    return new PgBouncer(url, daemon, directory);
  }

  async stop(): Promise<void> {
    await this.daemon.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
