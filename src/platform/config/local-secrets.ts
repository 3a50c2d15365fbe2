import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from './make-directory.js';
import { randomText } from '../lib/secrets.js';

interface LocalSecrets {
  ADMIN_TOKEN: string;
  SECRET_KEY: string;
  POSTGRES_PASSWORD: string;
}

/**
 * The secrets of an installation that has none in its environment. They are generated once and kept in `secrets.json`
 * in the data directory, readable by their owner only. Two processes that start together get the same secrets.
 */
export function localSecrets(directory: string): LocalSecrets {
  const file = join(directory, 'secrets.json');
  const made: LocalSecrets = {
    ADMIN_TOKEN: `prl_adm_${randomText(40)}`,
    SECRET_KEY: randomText(48),
    POSTGRES_PASSWORD: randomText(32),
  };
  makeDirectory(directory);
  createOnce(file, JSON.stringify(made, null, 2));
  return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets;
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
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
