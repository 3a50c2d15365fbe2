import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

/** A key that filters of chats use. */
export interface FilterKey {
  key: string;
  /** Whether the values of all chats and visitors are stored. */
  isReady: boolean;
}

const LIST = `
  SELECT key, ready_at IS NOT NULL AS "isReady" FROM attribute_keys
  WHERE organization_id = $1 AND removed_at IS NULL ORDER BY key`;

/** The keys of an organization, in order. */
export async function listKeys(client: Pick<Pool, 'query'>, organizationId: string): Promise<FilterKey[]> {
  const query = { name: 'attribute-keys', text: LIST, values: [organizationId] };
  return (await client.query<FilterKey>(query)).rows;
}

const SERIALIZE = "SELECT pg_advisory_xact_lock(hashtextextended('attribute keys ' || $1, 0))";
const FIND_ALL = `
  SELECT key, removed_at IS NOT NULL AS "isRemoved" FROM attribute_keys WHERE organization_id = $1 ORDER BY key FOR NO KEY UPDATE`;

/** All keys, even removed ones whose values still exist. No other transaction can change the keys until this one ends. */
export async function lockKeys(
  tx: EntityManager,
  organizationId: string,
): Promise<{ key: string; isRemoved: boolean }[]> {
  await tx.query(SERIALIZE, [organizationId]);
  return tx.query(FIND_ALL, [organizationId]);
}

const REMOVE = 'UPDATE attribute_keys SET removed_at = $3 WHERE organization_id = $1 AND key = ANY ($2)';
// The values of a removed key are kept up to date until they're deleted, but some are missing by then. So the key is filled again.
const RESTORE = `
  UPDATE attribute_keys SET removed_at = NULL, ready_at = NULL, filled_to = CASE WHEN filled_to IS NOT NULL THEN '' END
  WHERE organization_id = $1 AND key = ANY ($2)`;
const ADD = `
  INSERT INTO attribute_keys (organization_id, key, created_at) SELECT $1, n.key, $3 FROM unnest($2::text[]) AS n (key)
  ON CONFLICT DO NOTHING`;

/** Changes locked keys. */
export async function storeKeys(
  tx: EntityManager,
  organizationId: string,
  { removed, restored, added }: { removed: string[]; restored: string[]; added: string[] },
): Promise<void> {
  const now = new Date();
  if (removed.length > 0) await tx.query(REMOVE, [organizationId, removed, now]);
  if (restored.length > 0) await tx.query(RESTORE, [organizationId, restored]);
  if (added.length > 0) await tx.query(ADD, [organizationId, added, now]);
}
