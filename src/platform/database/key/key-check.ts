import { deriveKeys, reseal, seal, type SecretKeys, unseal } from '../../lib/secrets.js';
import { DatabaseError } from '../database-error.js';

/** Runs a statement and returns its rows. */
type Read = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

/** Whether a key opens what's sealed in the database. */
export type KeyState = 'current' | 'previous' | 'other';

const PURPOSE = 'key check';
const ROW = 'only';
const HAS_TABLE = `SELECT to_regclass('secret_key_check') IS NOT NULL AS "hasTable"`;

/** Reads the check value: no row before the first start of this release, and an empty one where the next key is to be accepted. */
export const READ_CHECK = `SELECT sealed FROM secret_key_check WHERE id = 'only'`;

const STORE_CHECK = `
  INSERT INTO secret_key_check (id, sealed) VALUES ('only', $1)
  ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`;

// Databases of earlier releases have no check value: what was sealed last shows whose key it is. A key that was changed
// before can't open the oldest ones.
const READ_NEWEST = `
  SELECT id, identity_secret AS sealed FROM organizations WHERE octet_length(identity_secret) > 0 ORDER BY id DESC LIMIT 100`;

const OTHER_KEY =
  "SECRET_KEY isn't the key of this database, which has secrets and sessions of another one: set SECRET_KEY to that key, from your " +
  'backup or from secrets.json of the DATA_DIR before (docs/operate/backup.md#with-another-key)';

/** The database has secrets of another SECRET_KEY. */
export class OtherKeyError extends DatabaseError {
  constructor() {
    super(OTHER_KEY);
  }
}

/** What a check value says about the keys of a configuration. */
export function judgeKey(keys: SecretKeys, sealed: Buffer): KeyState {
  const derived = deriveKeys(keys, PURPOSE);
  try {
    return reseal(derived, ROW, sealed) === null ? 'current' : 'previous';
  } catch {
    return 'other';
  }
}

/** Refuses a key that the database doesn't know, before anything is changed. @throws OtherKeyError */
export async function refuseOtherKey(read: Read, keys: SecretKeys): Promise<void> {
  const [found] = await read<{ hasTable: boolean }>(HAS_TABLE);
  if (found!.hasTable) await findCheck(read, keys);
}

/**
 * Makes this key the database's, unless it has one. Call it after the migrations, while no other process starts.
 * @throws OtherKeyError if it has another one, or secrets of another one
 */
export async function claimKey(read: Read, keys: SecretKeys): Promise<void> {
  const check = await findCheck(read, keys);
  if (check === 'known') return;
  if (check === 'absent') await refuseOtherSecrets(read, keys);
  await storeCheck(read, keys);
}

/** Seals the check value under the first key: a start without it is refused from now on. */
export async function storeCheck(read: Read, keys: SecretKeys): Promise<void> {
  await read(STORE_CHECK, [seal(deriveKeys(keys, PURPOSE), ROW, 'parley')]);
}

async function findCheck(read: Read, keys: SecretKeys): Promise<'known' | 'absent' | 'given up'> {
  const [row] = await read<{ sealed: Buffer }>(READ_CHECK);
  if (!row) return 'absent';
  if (row.sealed.length === 0) return 'given up';
  if (judgeKey(keys, row.sealed) === 'other') throw new OtherKeyError();
  return 'known';
}

async function refuseOtherSecrets(read: Read, keys: SecretKeys): Promise<void> {
  const newest = await read<{ id: string; sealed: Buffer }>(READ_NEWEST);
  const derived = deriveKeys(keys, 'identity secrets');
  const opens = ({ id, sealed }: { id: string; sealed: Buffer }) => {
    try {
      return unseal(derived, id, sealed) !== '';
    } catch {
      return false;
    }
  };
  if (newest.length > 0 && !newest.some(opens)) throw new OtherKeyError();
}
