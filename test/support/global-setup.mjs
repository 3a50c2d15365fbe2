import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres.js';

/** One real PostgreSQL for all test files, each of which makes its own database. */
export default async function setUp() {
  if (process.env.TEST_DATABASE_URL) return;
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  chmodSync(directory, 0o755);
  const postgres = await startEmbeddedPostgres(directory);
  process.env.TEST_DATABASE_URL = postgres.url;
  globalThis.testPostgres = { directory, postgres };
}
