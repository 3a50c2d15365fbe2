import { fileURLToPath } from 'node:url';
import { startService } from './processes.mjs';

export const BARE_NEST = fileURLToPath(new URL('bare-nest.mjs', import.meta.url));
export const PARLEY = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** The database that is copied for every Parley of a run. */
export const TEMPLATE = 'tenants';

// Turns off limits that would stop the load, because it comes from one address.
const SETTINGS = {
  DATABASE_POOL_SIZE: '20',
  DEMO: '0',
  AGENT_RATE_LIMIT: '0',
  BOT_RATE_LIMIT: '0',
  VISITOR_RATE_LIMIT: '0',
  VISITOR_CONNECTION_LIMIT: '0',
  WRONG_TOKEN_LIMIT: '0',
  NEW_VISITOR_LIMIT: '0',
  ANONYMOUS_MESSAGES_PER_DAY: '0',
  ANONYMOUS_BYTES_PER_DAY: '0',
  ANONYMOUS_ORGANIZATION_MESSAGES_PER_DAY: '0',
  ANONYMOUS_ORGANIZATION_BYTES_PER_DAY: '0',
  LOG_LEVEL: 'error',
};

/** Starts the built service on a new copy of the prepared database, or of another one. */
export async function startParley(bench, database, settings, template = TEMPLATE) {
  return runParley(bench, await bench.postgres.createDatabase(database, template), settings);
}

/** Starts the built service on an existing database. @param file the main file of another build */
export async function runParley(bench, databaseUrl, settings, flags, file = PARLEY) {
  const environment = parleySettings(bench, databaseUrl, settings);
  const service = await startService('Parley', file, environment, flags);
  const { ADMIN_TOKEN: adminToken } = environment;
  const visitors = { namespace: '/visitor', opensChats: true };
  return { name: 'Parley', ...service, ...visitors, databaseUrl, adminToken, before: 0, answered: 0, cutOff: 0 };
}

export function parleySettings(bench, databaseUrl, settings) {
  return { ...SETTINGS, ...bench.settings, DATABASE_URL: databaseUrl, ...settings };
}

/** A client of Parley's admin API. */
export function adminOf({ url, adminToken }) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  return async (path, body, method = 'POST') => {
    const request = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/admin/organizations${path}`, request);
    if (!response.ok) throw new Error(`the admin API answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
}
