// The first step of `docker compose up`. Creates the installation's secrets once and stores them in its volumes. The database's
// password has its own volume, which is the only one that PostgreSQL sees. Prints no secret.
import { readFileSync, writeFileSync } from 'node:fs';
import { localSecrets } from '../dist/src/platform/config/local-secrets.js';

const PASSWORD_FILE = '/run/parley/postgres-password';
const { DATA_DIR, POSTGRES_PASSWORD: wanted } = process.env;

const { POSTGRES_PASSWORD: made } = localSecrets(DATA_DIR);
const isNew = createOnce(PASSWORD_FILE, wanted || made);
if (wanted && wanted !== readFileSync(PASSWORD_FILE, 'utf8')) {
  console.error(
    'POSTGRES_PASSWORD in .env is not the password of the database, and setting it there does not change the ' +
      "database's password. Remove it from .env, or change the database's password first: see " +
      '"Change the database password" in docs/operate/docker.md.',
  );
  process.exit(1);
}
console.log(`The secrets of this installation ${isNew ? 'were made and are' : 'are'} kept in its volumes.`);
console.log('To read the admin token once it runs:  docker compose exec parley admin-token');

function createOnce(file, text) {
  try {
    writeFileSync(file, text, { mode: 0o400, flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}
