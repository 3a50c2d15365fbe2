import pg from 'pg';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres.js';
import { onEnd } from './ending.mjs';

/** Starts the run's PostgreSQL, as embedded in Parley: untuned, with every commit on disk. */
export async function startPostgres(directory) {
  const starting = startEmbeddedPostgres(directory);
  onEnd(async () => (await starting.catch(() => undefined))?.stop());
  const { url } = await starting;
  const [{ server_version: version }] = await query(url, 'SHOW server_version');
  return { url, version, createDatabase: (name, template) => createDatabase(url, name, template) };
}

/** Runs one statement, or several without values, on a new connection. */
export async function query(connectionString, text, values) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(url, name, template = 'template1') {
  await query(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await query(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
