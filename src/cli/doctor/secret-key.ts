import type pg from 'pg';
import { judgeKey, READ_CHECK } from '../../platform/database/key/key-check.js';
import { findSecretKeys } from '../secrets/keys.js';
import { type Check, failed, ok, warning } from './check.js';

const NAME = 'secret key';

/**
 * Compares the database's key with the one that the service would start with here. Returns no check if one of them isn't known: before
 * the first start, with an older schema, or without a key here.
 */
export async function checkKey(client: pg.Client, environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const keys = findSecretKeys(environment);
  const result = await client.query<{ sealed: Buffer }>(READ_CHECK).catch(() => null);
  const sealed = result?.rows[0]?.sealed;
  if (!keys || !sealed?.length) return [];
  const state = judgeKey(keys, sealed);
  if (state === 'current') return [ok(NAME, "SECRET_KEY is the database's")];
  if (state === 'previous') {
    const detail = 'the database still has secrets that are encrypted with SECRET_KEY_PREVIOUS';
    return [warning(NAME, detail, 'once all nodes have both keys: npx parley secrets reseal')];
  }
  const advice = 'set SECRET_KEY to the key of this database; Parley starts with no other';
  return [failed(NAME, "SECRET_KEY isn't the database's", advice)];
}
