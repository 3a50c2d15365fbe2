// Loaded before the service (`node --import`). Sets variables that the environment leaves unset to the secrets that make-secrets.mjs
// created. If it created none, this does nothing, and the service reports the missing ones.
import { readFileSync } from 'node:fs';

const { env } = process;
const made = JSON.parse(read(`${env.DATA_DIR}/secrets.json`) ?? '{}');
const password = read('/run/parley/postgres-password');

for (const name of ['ADMIN_TOKEN', 'SECRET_KEY']) if (!env[name] && made[name]) env[name] = made[name];
if (!env.DATABASE_URL && password !== undefined) {
  env.DATABASE_URL = `postgres://parley:${encodeURIComponent(password)}@${env.POSTGRES_HOST ?? 'postgres'}:5432/parley`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
