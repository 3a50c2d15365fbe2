import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres.js';

/**
 * One real PostgreSQL for all test files, each of which makes its own database: a copy of one that is migrated already. (A
 * server of `TEST_DATABASE_URL` may be behind a pooler, whose connections would keep a template from being copied.)
 */
export default async function setUp() {
  if (process.env.TEST_DATABASE_URL) return;
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  chmodSync(directory, 0o755);
  const postgres = await startEmbeddedPostgres(directory);
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_DATABASE_TEMPLATE = await makeTemplate(postgres.url);
  globalThis.testPostgres = { directory, postgres };
}

async function makeTemplate(url) {
  const name = 'migrated';
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${name}`;
  await migrate(template.href);
  return name;
}
