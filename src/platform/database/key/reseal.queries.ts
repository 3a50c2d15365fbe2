import type { Pool } from 'pg';
import { deriveKeys, type Keys, reseal, SealError, type SecretKeys } from '../../lib/secrets.js';

/** The result of a batch. */
export interface Resealed {
  /** How many secrets were encrypted again. */
  resealed: number;
  /** How many secrets none of the keys opens; they stay as they are. */
  unreadable: number;
  /** The last organization of the batch; null: it was the last one. */
  last: string | null;
}

/** A table with sealed secrets. */
export interface SealedTable {
  name: 'organizations' | 'webhooks' | 'bot_connections' | 'push_subscriptions';
  /** Selects an organization's rows: `id`, and a column for each secret. */
  select: string;
  /** The purpose of the key for each column. */
  purposes: Record<string, string>;
  /** Replaces a value, unless it has changed since it was read. */
  update: (column: string) => string;
  /** What a secret is bound to. */
  boundTo: (organizationId: string, id: string) => string;
}

/** The purpose of the keys that seal the browsers of agents. */
export const SUBSCRIPTIONS_PURPOSE = 'push subscriptions';

/** Everything that's sealed in the database, apart from the check value. */
export const SEALED: readonly SealedTable[] = [
  {
    name: 'organizations',
    select: 'SELECT id, identity_secret, previous_identity_secret, captcha_secret FROM organizations WHERE id = $1',
    purposes: {
      identity_secret: 'identity secrets',
      previous_identity_secret: 'identity secrets',
      captcha_secret: 'captcha secrets',
    },
    update: (column) => `UPDATE organizations SET ${column} = $4 WHERE id = $1 AND id = $2 AND ${column} = $3`,
    boundTo: (organizationId) => organizationId,
  },
  {
    name: 'webhooks',
    select: 'SELECT id, secret, previous_secret FROM webhooks WHERE organization_id = $1',
    purposes: { secret: 'webhook secrets', previous_secret: 'webhook secrets' },
    update: (column) => `UPDATE webhooks SET ${column} = $4 WHERE organization_id = $1 AND id = $2 AND ${column} = $3`,
    boundTo: (organizationId, id) => `${organizationId}/${id}`,
  },
  {
    name: 'bot_connections',
    select: 'SELECT id, secrets FROM bot_connections WHERE organization_id = $1',
    purposes: { secrets: 'bot connections' },
    update: (column) =>
      `UPDATE bot_connections SET ${column} = $4 WHERE organization_id = $1 AND id = $2 AND ${column} = $3`,
    boundTo: (organizationId, id) => `${organizationId}/${id}`,
  },
  {
    name: 'push_subscriptions',
    select: 'SELECT id, sealed FROM push_subscriptions WHERE organization_id = $1',
    purposes: { sealed: SUBSCRIPTIONS_PURPOSE },
    update: (column) =>
      `UPDATE push_subscriptions SET ${column} = $4 WHERE organization_id = $1 AND id = $2 AND ${column} = $3`,
    boundTo: (organizationId, id) => `${organizationId}/${id}`,
  },
];

const FIND_ORGANIZATIONS = 'SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT $2';

/**
 * Seals the secrets of some organizations under the first key. Secrets that already are stay as they are, so a batch may be repeated.
 * @param after the last organization of the batch before; empty for the first batch
 * @param limit how many organizations. Each has at most 50 webhooks with two secrets each
 */
export async function resealBatch(pool: Pool, keys: SecretKeys, after: string, limit: number): Promise<Resealed> {
  const { rows } = await pool.query<{ id: string }>(FIND_ORGANIZATIONS, [after, limit + 1]);
  const batch = rows.slice(0, limit);
  const total: Resealed = { resealed: 0, unreadable: 0, last: rows.length > limit ? batch.at(-1)!.id : null };
  for (const { id } of batch) for (const table of SEALED) await resealRows(pool, keys, id, table, total);
  if (total.last === null) for (const table of INSTALLATION_TABLES) await resealInstallation(pool, keys, table, total);
  return total;
}

/** The purpose of the key that seals the tokens for the mail servers. */
export const AUTHORIZATION_PURPOSE = 'mail authorizations';
/** The purpose of the key that seals the generated VAPID keys. */
export const PUSH_KEYS_PURPOSE = 'push keys';

/** A table whose secrets belong to no organization. A secret is bound to the key of its row. */
interface InstallationTable {
  purpose: string;
  select: string;
  update: string;
}

const INSTALLATION_TABLES: readonly InstallationTable[] = [
  {
    purpose: AUTHORIZATION_PURPOSE,
    select: 'SELECT key, sealed FROM mail_authorizations',
    update: 'UPDATE mail_authorizations SET sealed = $3 WHERE key = $1 AND sealed = $2',
  },
  {
    purpose: PUSH_KEYS_PURPOSE,
    select: 'SELECT public_key AS key, sealed FROM push_keys',
    update: 'UPDATE push_keys SET sealed = $3 WHERE public_key = $1 AND sealed = $2',
  },
];

async function resealInstallation(pool: Pool, keys: SecretKeys, table: InstallationTable, total: Resealed) {
  const { rows } = await pool.query<{ key: string; sealed: Buffer }>(table.select);
  for (const { key, sealed } of rows) {
    const changed = tryReseal(deriveKeys(keys, table.purpose), key, sealed);
    if (changed === 'unreadable') total.unreadable++;
    else if (changed) total.resealed += (await pool.query(table.update, [key, sealed, changed])).rowCount!;
  }
}

async function resealRows(pool: Pool, keys: SecretKeys, organizationId: string, table: SealedTable, total: Resealed) {
  const { rows } = await pool.query<Record<string, string | Buffer | null>>(table.select, [organizationId]);
  for (const row of rows) {
    const id = row.id as string;
    for (const [column, purpose] of Object.entries(table.purposes)) {
      const sealed = row[column] as Buffer | null;
      const changed = sealed && tryReseal(deriveKeys(keys, purpose), table.boundTo(organizationId, id), sealed);
      if (changed === 'unreadable') total.unreadable++;
      else if (changed)
        total.resealed += (await pool.query(table.update(column), [organizationId, id, sealed, changed])).rowCount!;
    }
  }
}

/** Seals a secret under the first key. Null if it already is. */
export function tryReseal(keys: Keys, row: string, sealed: Buffer): Buffer | null | 'unreadable' {
  try {
    return reseal(keys, row, sealed);
  } catch (error) {
    if (error instanceof SealError) return 'unreadable';
    throw error;
  }
}
