import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { copyClusterDatabase } from './cluster.js';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * A new database on the test run's server, or on the cluster of `CITUS_URL`; empty unless migrated.
 * @param options.locale options of CREATE DATABASE
 */
export async function createDatabase({
  isMigrated = true,
  locale,
}: { isMigrated?: boolean; locale?: string } = {}): Promise<TestDatabase> {
  const { TEST_CLUSTER_TEMPLATE } = process.env;
  if (isMigrated && TEST_CLUSTER_TEMPLATE) return copyClusterDatabase(TEST_CLUSTER_TEMPLATE);
  const server = process.env.TEST_DATABASE_URL!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = isMigrated && locale === undefined ? process.env.TEST_DATABASE_TEMPLATE : undefined;
  const source = locale === undefined ? '' : ` TEMPLATE template0 ENCODING 'UTF8' ${locale}`;
  // Copying files takes less than writing all pages to the log, because the server doesn't wait for the disk.
  await queryOnce(server, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template} STRATEGY FILE_COPY` : source}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (isMigrated && !template) await migrate(url.href);
  // Not WITH (FORCE): PostgreSQL waits for connections that are closing, and a connection left open is an error.
  const drop = async () => void (await queryOnce(server, `DROP DATABASE ${name}`));
  return { url: url.href, drop };
}

/** Runs one statement on a new connection. */
export async function queryOnce<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client(url);
  // The server may be killed during the statement, which then fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
