import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { PICTURE } from '../files/file.js';
import { type IsOf, queryEverywhere } from '../platform/database/citus/per-organization.js';

const PUBLISH = `UPDATE files SET used_by = '${PICTURE}' WHERE organization_id = $1 AND id = $2`;

/** Lets everyone with its address see a file. */
export async function publish(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(PUBLISH, [organizationId, id]);
}

const LIST = `
  SELECT f.id FROM files f
  WHERE f.organization_id = $1 AND f.used_by = '${PICTURE}' AND f.created_at < $2`;
const CHOSEN = `
  SELECT a.avatar_url AS address FROM agents a WHERE a.organization_id = $1 AND a.avatar_url IS NOT NULL
  UNION ALL
  SELECT o.mail_settings->>'logoUrl' FROM organizations o WHERE o.id = $1 AND o.mail_settings->>'logoUrl' IS NOT NULL`;

/** The ids of an organization's pictures from before a time. */
export async function listPictures(tx: EntityManager, organizationId: string, before: Date): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(LIST, [organizationId, before]);
  return rows.map(({ id }) => id);
}

/** The addresses of the pictures that an organization shows. */
export async function listChosen(tx: EntityManager, organizationId: string): Promise<string[]> {
  const rows: { address: string }[] = await tx.query(CHOSEN, [organizationId]);
  return rows.map(({ address }) => address);
}

const WITH_PICTURES = (isOf: IsOf) => `
  SELECT DISTINCT f.organization_id AS "organizationId" FROM files f
  WHERE f.used_by = '${PICTURE}' AND f.created_at < $1 AND ${isOf('f')}`;

/** Organizations with pictures from before a time. */
export async function findWithPictures(pool: Pool, before: Date): Promise<string[]> {
  const rows = await queryEverywhere<{ organizationId: string }>(pool, {
    name: 'with-pictures',
    text: WITH_PICTURES,
    values: [before],
  });
  return rows.map(({ organizationId }) => organizationId);
}

/** A picture whose address has another origin. */
export interface MovedPicture {
  organizationId: string;
  /** Null: the logo of the organization's mails. */
  agentId: string | null;
  address: string;
}

const ADDRESSES = '%/files/upl\\_%/picture';
const MOVED_AVATARS = (isOf: IsOf) => `
  SELECT a.organization_id AS "organizationId", a.id AS "agentId", a.avatar_url AS address FROM agents a
  WHERE a.avatar_url LIKE '${ADDRESSES}' AND a.avatar_url NOT LIKE $1 AND a.id > $2 AND ${isOf('a')}
  ORDER BY a.id LIMIT $3`;
const MOVED_LOGOS = `
  SELECT o.id AS "organizationId", NULL AS "agentId", o.mail_settings->>'logoUrl' AS address FROM organizations o
  WHERE o.mail_settings->>'logoUrl' LIKE '${ADDRESSES}' AND o.mail_settings->>'logoUrl' NOT LIKE $1
    AND o.deleted_at IS NULL AND o.id > $2
  ORDER BY o.id LIMIT $3`;

/** Pictures whose address at Parley isn't like a pattern, after an id. */
export async function listMoved(
  pool: Pool,
  kind: 'avatars' | 'logos',
  { pattern, after, limit }: { pattern: string; after: string; limit: number },
): Promise<MovedPicture[]> {
  const values = [pattern, after, limit];
  if (kind === 'logos') return (await pool.query<MovedPicture>(MOVED_LOGOS, values)).rows;
  return queryEverywhere<MovedPicture & Record<string, unknown>>(pool, {
    name: 'moved-avatars',
    text: MOVED_AVATARS,
    values,
  });
}

const MOVE_AVATAR = `UPDATE agents SET avatar_url = $4 WHERE organization_id = $1 AND id = $2 AND avatar_url = $3`;
const MOVE_LOGO = `
  UPDATE organizations SET mail_settings = jsonb_set(mail_settings, '{logoUrl}', to_jsonb($3::text))
  WHERE id = $1 AND mail_settings->>'logoUrl' = $2`;
const DROP_LOGO = `
  UPDATE organizations SET mail_settings = mail_settings - 'logoUrl' WHERE id = $1 AND mail_settings->>'logoUrl' = $2`;

/** Replaces an address, unless it was changed since. @param to null removes the picture */
export async function moveAddress(
  pool: Pool,
  { organizationId, agentId, address }: MovedPicture,
  to: string | null,
): Promise<void> {
  if (agentId !== null) await pool.query(MOVE_AVATAR, [organizationId, agentId, address, to]);
  else if (to === null) await pool.query(DROP_LOGO, [organizationId, address]);
  else await pool.query(MOVE_LOGO, [organizationId, address, to]);
}
