import type { EntityManager } from 'typeorm';
import { queryNamed } from '../platform/database/transaction.js';
import { newId } from '../platform/lib/ids.js';
import { MAX_TAGS_OF_ORGANIZATION, tagKey } from './tag-key.js';

/** A tag that a chat has, or gets. */
export interface NamedTag {
  id: string;
  name: string;
  key: string;
  /** The tag that the chat will have instead, while they're being merged. */
  mergedInto?: string | null;
}

const FIND_OF_CHAT = `
  SELECT t.id, t.name, t.key, t.merged_into AS "mergedInto" FROM chat_tags k JOIN tags t ON t.organization_id = $1 AND t.id = k.tag_id
  WHERE k.organization_id = $1 AND k.chat_id = $2 AND (t.removed_at IS NULL OR t.merged_into IS NOT NULL)
  ORDER BY t.key`;

/** The tags of a chat, by name. */
export function findTagsOfChat(tx: EntityManager, organizationId: string, chatId: string): Promise<NamedTag[]> {
  return queryNamed(tx, { name: 'tags-of-chat', text: FIND_OF_CHAT, values: [organizationId, chatId] });
}

// Merging and deleting change the names first. So they wait for this lock, until the chats of this transaction have the tags.
const LOCK_NAMES = `
  SELECT n.key, n.tag_id AS "tagId" FROM tag_names n WHERE n.organization_id = $1 AND n.key = ANY ($2) ORDER BY n.key FOR SHARE`;
const FIND_TAGS = 'SELECT t.id, t.name, t.key FROM tags t WHERE t.organization_id = $1 AND t.id = ANY ($2)';

/** The tags that names mean, present or former, by the key of the name. They mean the same until the end of the transaction. */
export async function lockTags(
  tx: EntityManager,
  organizationId: string,
  names: readonly string[],
): Promise<Map<string, NamedTag>> {
  const keys = [...new Set(names.map(tagKey))];
  if (keys.length === 0) return new Map();
  const lock = { name: 'lock-tag-names', text: LOCK_NAMES, values: [organizationId, keys] };
  const locked = await queryNamed<{ key: string; tagId: string }>(tx, lock);
  if (locked.length === 0) return new Map();
  const find = { name: 'find-tags', text: FIND_TAGS, values: [organizationId, locked.map(({ tagId }) => tagId)] };
  const tags = new Map((await queryNamed<NamedTag>(tx, find)).map((tag) => [tag.id, tag]));
  return new Map(locked.flatMap(({ key, tagId }) => (tags.has(tagId) ? [[key, tags.get(tagId)!]] : [])));
}

const ADD_NAMES = `
  INSERT INTO tag_names (organization_id, key, name, tag_id)
  SELECT $1, n.key, n.name, n.id FROM unnest($2::text[], $3::text[], $4::text[]) AS n (key, name, id)
  ON CONFLICT (organization_id, key) DO NOTHING RETURNING key`;
const ADD_TAGS = `
  INSERT INTO tags (organization_id, id, name, key, created_at)
  SELECT $1, n.id, n.name, n.key, $5 FROM unnest($2::text[], $3::text[], $4::text[]) AS n (key, name, id)`;

const COUNT = `
  SELECT count(*)::integer AS count FROM (SELECT FROM tags t WHERE t.organization_id = $1 LIMIT ${MAX_TAGS_OF_ORGANIZATION}) AS found`;

/** Whether an organization has as many tags as it may have. */
export async function isFullOfTags(tx: EntityManager, organizationId: string): Promise<boolean> {
  const [row] = await queryNamed<{ count: number }>(tx, { name: 'count-tags', text: COUNT, values: [organizationId] });
  return row!.count === MAX_TAGS_OF_ORGANIZATION;
}

/**
 * Adds tags with their names as they're written, unless another transaction has added them. Inserts in the order of their keys, as every
 * transaction does, so that transactions don't deadlock.
 */
export async function addTags(tx: EntityManager, organizationId: string, names: readonly string[]): Promise<void> {
  const byKey = new Map(names.toReversed().map((name) => [tagKey(name), name]));
  const added = [...byKey].map(([key, name]) => ({ key, name, id: newId('tag') }));
  added.sort((a, b) => (a.key < b.key ? -1 : 1));
  const columns = (tags: typeof added) => [
    tags.map(({ key }) => key),
    tags.map(({ name }) => name),
    tags.map(({ id }) => id),
  ];
  const insert = { name: 'add-tag-names', text: ADD_NAMES, values: [organizationId, ...columns(added)] };
  const keys = new Set((await queryNamed<{ key: string }>(tx, insert)).map(({ key }) => key));
  const own = added.filter(({ key }) => keys.has(key));
  if (own.length > 0)
    await queryNamed(tx, { name: 'add-tags', text: ADD_TAGS, values: [organizationId, ...columns(own), new Date()] });
}

const ADD = `
  INSERT INTO chat_tags (organization_id, chat_id, tag_id) SELECT $1, $2, n.id FROM unnest($3::text[]) AS n (id)
  ON CONFLICT DO NOTHING`;
const REMOVE = 'DELETE FROM chat_tags WHERE organization_id = $1 AND chat_id = $2 AND tag_id = ANY ($3)';
const RAISE = 'UPDATE chats SET has_tags = true, rev = rev + 1 WHERE organization_id = $1 AND id = $2';

/** Changes the tags of a locked chat, and raises its `rev`. */
export async function storeChatTags(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  { added, removed }: { added: readonly NamedTag[]; removed: readonly NamedTag[] },
): Promise<void> {
  const ids = (tags: readonly NamedTag[]) => [organizationId, chatId, tags.map(({ id }) => id)];
  if (added.length > 0) await queryNamed(tx, { name: 'add-chat-tags', text: ADD, values: ids(added) });
  if (removed.length > 0) await queryNamed(tx, { name: 'remove-chat-tags', text: REMOVE, values: ids(removed) });
  await queryNamed(tx, { name: 'raise-tagged', text: RAISE, values: [organizationId, chatId] });
}
