import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from './make-directory.js';
import { randomText } from '../lib/secrets.js';

interface LocalSecrets {
  ADMIN_TOKEN: string;
  SECRET_KEY: string;
  POSTGRES_PASSWORD: string;
}

const LOST_SECRETS =
  'its secrets.json is missing, and its database can only be read with the secrets in it: restore the file from your backup';

/** The file that this process has created. */
let newFile: string | null = null;

/**
 * The secrets of an installation that has none in its environment. They are generated once and kept in `secrets.json`
 * in the data directory, readable by their owner only. Two processes that start together get the same secrets.
 * @throws Error if the directory has a database, but no secrets
 */
export function localSecrets(directory: string): LocalSecrets {
  const file = join(directory, 'secrets.json');
  const made: LocalSecrets = {
    ADMIN_TOKEN: `prl_adm_${randomText(40)}`,
    SECRET_KEY: randomText(48),
    POSTGRES_PASSWORD: randomText(32),
  };
  makeDirectory(directory);
  if (!existsSync(file) && existsSync(join(directory, 'postgres', 'PG_VERSION'))) throw new Error(LOST_SECRETS);
  createOnce(file, JSON.stringify(made, null, 2));
  return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
}

/** Removes the secrets that this process has generated, if any: they fit no database. */
export function removeNewSecrets(): void {
  if (newFile !== null) rmSync(newFile, { force: true });
  newFile = null;
}

export function readLocalSecrets(file: string): Partial<LocalSecrets> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalSecrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

// Writes a draft and links it into place, so that no process reads half a file and the first file wins.
function createOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    newFile = file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
