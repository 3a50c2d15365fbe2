import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A fresh database on the server of the test run; empty unless migrated. */
export async function createDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = isMigrated ? process.env.TEST_DATABASE_TEMPLATE : undefined;
  await onServer(server, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (isMigrated && !template) await migrate(url.href);
  // Not WITH (FORCE): PostgreSQL waits for connections that are closing, and a connection that was left open is an error.
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name}`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
