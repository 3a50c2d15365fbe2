import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { queryEverywhere } from '../platform/database/citus/per-organization.js';

/** The most former names of a tag. */
const MAX_FORMER = 20;
/** The most chats of a transaction. */
const BATCH = 200;

/** A locked tag. */
export interface LockedTag {
  id: string;
  name: string;
  key: string;
  color: string | null;
  renamedTo: string | null;
  /** Whether it's being merged or deleted. */
  isRemoved: boolean;
  mergedInto: string | null;
}

const LOCK = `
  SELECT id, name, key, color, renamed_to AS "renamedTo", removed_at IS NOT NULL AS "isRemoved", merged_into AS "mergedInto"
  FROM tags WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`;

/** Locks tags in the order of their ids, also ones that are being merged or deleted. */
export function lockTagRows(tx: EntityManager, organizationId: string, ids: readonly string[]): Promise<LockedTag[]> {
  return tx.query(LOCK, [organizationId, ids]);
}

const UPDATE = `
  UPDATE tags SET name = $3, key = $4, color = $5, renamed_to = CASE WHEN $6::boolean THEN '' ELSE renamed_to END
  WHERE organization_id = $1 AND id = $2`;

/** @param isOther whether the key has changed, so that search has to find the tag's chats by the new name */
export async function updateTag(
  tx: EntityManager,
  organizationId: string,
  { id, name, key, color }: Pick<LockedTag, 'id' | 'name' | 'key' | 'color'>,
  isOther: boolean,
): Promise<void> {
  await tx.query(UPDATE, [organizationId, id, name, key, color, isOther]);
}

const TAKE_NAME = `
  INSERT INTO tag_names AS n (organization_id, key, name, tag_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, key) DO UPDATE SET name = excluded.name, retired_at = NULL WHERE n.tag_id = excluded.tag_id
  RETURNING key`;
const RETIRE = `
  UPDATE tag_names SET retired_at = $4 WHERE organization_id = $1 AND tag_id = $2 AND key <> $3 AND retired_at IS NULL`;
const TRIM = `
  DELETE FROM tag_names WHERE organization_id = $1 AND tag_id = $2 AND key = ANY (ARRAY(
    SELECT key FROM tag_names WHERE organization_id = $1 AND tag_id = $2 AND retired_at IS NOT NULL
    ORDER BY retired_at DESC, key OFFSET ${MAX_FORMER}))`;

/** Gives a tag a name, and keeps the one before as a former name. Returns false if another tag has or had the name. */
export async function takeName(
  tx: EntityManager,
  organizationId: string,
  { id, name, key }: Pick<LockedTag, 'id' | 'name' | 'key'>,
): Promise<boolean> {
  const taken: unknown[] = await tx.query(TAKE_NAME, [organizationId, key, name, id]);
  if (taken.length === 0) return false;
  await tx.query(RETIRE, [organizationId, id, key, new Date()]);
  await tx.query(TRIM, [organizationId, id]);
  return true;
}

const REMOVE =
  'UPDATE tags SET removed_at = $3, merged_into = $4, renamed_to = NULL WHERE organization_id = $1 AND id = $2';
const REDIRECT = 'UPDATE tags SET merged_into = $3 WHERE organization_id = $1 AND merged_into = $2';
const REMOVE_NAMES = 'DELETE FROM tag_names WHERE organization_id = $1 AND tag_id = $2';
const MOVE_NAMES = `
  UPDATE tag_names SET tag_id = $3, retired_at = CASE WHEN retired_at IS NULL THEN $4 ELSE retired_at END
  WHERE organization_id = $1 AND tag_id = $2`;

/** Begins to delete a tag, or to merge it into another. From then on, its names are free, or mean the other tag. */
export async function beginRemoval(
  tx: EntityManager,
  organizationId: string,
  id: string,
  into: string | null,
): Promise<void> {
  const now = new Date();
  await tx.query(REMOVE, [organizationId, id, now, into]);
  await tx.query(REDIRECT, [organizationId, id, into]);
  if (into === null) return void (await tx.query(REMOVE_NAMES, [organizationId, id]));
  await tx.query(MOVE_NAMES, [organizationId, id, into, now]);
  await tx.query(TRIM, [organizationId, into]);
}

const NEXT_CHATS = `
  SELECT k.chat_id AS id FROM chat_tags k WHERE k.organization_id = $1 AND k.tag_id = $2 AND k.chat_id > $3
  ORDER BY k.chat_id LIMIT ${BATCH}`;
const LOCK_CHATS = 'SELECT FROM chats WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE';
// Changes nothing, but a trigger records it as a change of the chat, so that the index reads the chat's tags again.
const TOUCH = 'UPDATE chats SET has_tags = true WHERE organization_id = $1 AND id = ANY ($2) AND erased_at IS NULL';

async function lockNext(tx: EntityManager, organizationId: string, tagId: string, after: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(NEXT_CHATS, [organizationId, tagId, after]);
  const ids = rows.map(({ id }) => id);
  await tx.query(LOCK_CHATS, [organizationId, ids]);
  return ids;
}

const ADVANCE = `
  UPDATE tags SET renamed_to = $4 WHERE organization_id = $1 AND id = $2 AND renamed_to = $3 AND removed_at IS NULL`;

/** Makes search find the next chats of a renamed tag by its new name. Returns whether there may be more. */
export async function renameStep(
  tx: EntityManager,
  organizationId: string,
  id: string,
  after: string,
): Promise<boolean> {
  const chats = await lockNext(tx, organizationId, id, after);
  await tx.query(TOUCH, [organizationId, chats]);
  const last = chats.length < BATCH ? null : chats.at(-1)!;
  await tx.query(ADVANCE, [organizationId, id, after, last]);
  return last !== null;
}

const GIVE = `
  INSERT INTO chat_tags (organization_id, chat_id, tag_id) SELECT $1, n.id, $3 FROM unnest($2::text[]) AS n (id)
  ON CONFLICT DO NOTHING`;
const TAKE =
  'DELETE FROM chat_tags WHERE organization_id = $1 AND chat_id = ANY ($2) AND tag_id = $3 RETURNING chat_id AS id';
const DELETE = `
  DELETE FROM tags WHERE organization_id = $1 AND id = $2 AND removed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM chat_tags k WHERE k.organization_id = $1 AND k.tag_id = $2)`;

/** Takes a removed tag from some chats, and gives them the one it was merged into. Returns whether there may be more. */
export async function removeStep(
  tx: EntityManager,
  organizationId: string,
  id: string,
  into: string | null,
): Promise<boolean> {
  const chats = await lockNext(tx, organizationId, id, '');
  // A chat may have lost the tag before it was locked.
  const [taken] = (await tx.query(TAKE, [organizationId, chats, id])) as [{ id: string }[], number];
  const ids = taken.map((chat) => chat.id);
  if (into !== null) await tx.query(GIVE, [organizationId, ids, into]);
  await tx.query(TOUCH, [organizationId, chats]);
  if (chats.length < BATCH) await tx.query(DELETE, [organizationId, id]);
  return chats.length === BATCH;
}

const FIND = `
  SELECT renamed_to AS "renamedTo", removed_at IS NOT NULL AS "isRemoved", merged_into AS "mergedInto" FROM tags
  WHERE organization_id = $1 AND id = $2`;

/** How far the change of a tag is; null if the tag doesn't exist anymore. */
export async function findChange(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<Pick<LockedTag, 'renamedTo' | 'isRemoved' | 'mergedInto'> | null> {
  const rows: Pick<LockedTag, 'renamedTo' | 'isRemoved' | 'mergedInto'>[] = await manager.query(FIND, [
    organizationId,
    id,
  ]);
  return rows[0] ?? null;
}

/** The tags whose change isn't finished. */
export function findChanging(pool: Pool, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return queryEverywhere(pool, {
    name: 'tags-changing',
    text: (isOf) => `
      SELECT t.organization_id AS "organizationId", t.id FROM tags t
      WHERE (t.removed_at IS NOT NULL OR t.renamed_to IS NOT NULL) AND ${isOf('t')} LIMIT ${limit}`,
    values: [],
  });
}
