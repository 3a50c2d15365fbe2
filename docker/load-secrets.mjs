// Loaded before the service (`node --import`): what the environment leaves unset is what make-secrets.mjs made. Where it
// made nothing this does nothing, and the service names what is missing.
import { readFileSync } from 'node:fs';

const { env } = process;
const made = JSON.parse(read(`${env.DATA_DIR}/secrets.json`) ?? '{}');
const password = read('/run/parley/postgres-password');

for (const name of ['ADMIN_TOKEN', 'SECRET_KEY']) if (!env[name] && made[name]) env[name] = made[name];
if (!env.DATABASE_URL && password !== undefined) {
  env.DATABASE_URL = `postgres://parley:${encodeURIComponent(password)}@postgres:5432/parley`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
