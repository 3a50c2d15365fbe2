import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import tearDown from './global-teardown.mjs';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres.js';

/**
 * One real PostgreSQL for all test files. Each file creates its own database: a copy of one that is already migrated.
 * (A server of `TEST_DATABASE_URL` may be behind a pooler, whose connections would prevent copying a template.)
 */
export default async function setUp() {
  writeDocuments();
  if (process.env.TEST_SUITE === 'citus-default') {
    process.env.TEST_CLUSTER_TEMPLATE = `migrated_${randomBytes(6).toString('hex')}`;
  }
  if (process.env.TEST_DATABASE_URL) return;
  const directory = mkdtempSync(join(placeForDatabases(), 'parley-test-'));
  chmodSync(directory, 0o755);
  const first = await startEmbeddedPostgres(directory);
  await prepare(first.url);
  await first.stop();
  const postgres = await startEmbeddedPostgres(directory);
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_DATABASE_TEMPLATE = await makeTemplate(postgres.url);
  globalThis.testPostgres = { directory, postgres };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
}

/** Writes the OpenAPI documents for check-answers.ts, unless this build has them. */
function writeDocuments() {
  if (existsSync('dist/openapi')) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/openapi/write.mjs'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

let isStopping = false;

/**
 * Stops the server when a run is interrupted, because jest then calls no tear-down. Ctrl-C arrives twice, from the
 * terminal and from npm.
 */
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await tearDown().catch(() => undefined);
  process.exit(130);
}

/** In bytes. A run of the default suite takes 260 MB at most. */
const ROOM = 2 * 2 ** 30;

/** Linux's file system in memory if it has room. Copying a database takes 0.2 to 1.7 s on a busy disk, and 0.1 s in memory. */
function placeForDatabases() {
  const memory = '/dev/shm';
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > ROOM ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Turns off the server's disk writes: the data ends with the run, and no test of these suites crashes the server. Files that run at the
 * same time share its connections, and after a frozen road all that had given up arrive together.
 */
async function prepare(url) {
  await query(
    url,
    'ALTER SYSTEM SET fsync = off',
    'ALTER SYSTEM SET full_page_writes = off',
    'ALTER SYSTEM SET max_connections = 300',
  );
}

async function makeTemplate(url) {
  const name = 'migrated';
  await query(url, `CREATE DATABASE ${name}`);
  const template = new URL(url);
  template.pathname = `/${name}`;
  await migrate(template.href);
  return name;
}

async function query(url, ...statements) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
