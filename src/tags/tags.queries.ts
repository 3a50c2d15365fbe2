import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { seenAs, sqlMaySee, type Viewer } from '../chats/model/chat-rights.js';
import type { TagFilter } from '../chats/reading/tags-sql.js';
import type { TextPosition } from '../platform/lib/cursor.js';
import { tagKey } from './tag-key.js';

/** Counting stops here. */
const MAX_COUNT = 1_000;
/** The most tags of a list for bots and agents. */
const MAX_USED = 50;
/** A tag with at most so many chats is read before anything else. */
const RARE = 2_000;

/** A tag that chats have. */
export interface UsedTag {
  name: string;
  color: string | null;
  /** Up to 1,000. */
  chats: number;
}

/** A tag as administrators see it. */
export interface TagRow extends UsedTag {
  id: string;
  /** The newest first. */
  formerNames: string[];
}

/** A pattern of keys. */
const beginsWith = (prefix: string) => `${tagKey(prefix).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const usedIn = (chats: string) => `
  SELECT t.name, t.color, n.chats FROM tags t CROSS JOIN LATERAL (
    SELECT count(*)::integer AS chats FROM (
      SELECT FROM chat_tags k ${chats} LIMIT ${MAX_COUNT}
    ) counted
  ) n
  WHERE t.organization_id = $1 AND t.removed_at IS NULL AND t.key LIKE $2 AND n.chats > 0
  ORDER BY n.chats DESC, t.key LIMIT ${MAX_USED}`;
// An erased chat has no tags, so the chats needn't be read for a viewer who sees all.
const USED_IN_ALL = usedIn('WHERE k.organization_id = $1 AND k.tag_id = t.id');
const USED_IN_SEEN = usedIn(`
  JOIN chats c ON c.organization_id = $1 AND c.id = k.chat_id
  WHERE k.organization_id = $1 AND k.tag_id = t.id AND ${sqlMaySee('c', '$3', 'false')}`);

/** The most used tags in the chats that the viewer may open; of a bot, in all. */
export async function findUsedTags(
  pool: Pool,
  viewer: Viewer | { organizationId: string },
  prefix: string,
): Promise<UsedTag[]> {
  const values = [viewer.organizationId, beginsWith(prefix)];
  const agentId = 'agentId' in viewer ? seenAs(viewer) : null;
  const query =
    agentId === null
      ? { name: 'used-tags', text: USED_IN_ALL, values }
      : { name: 'used-tags-seen', text: USED_IN_SEEN, values: [...values, agentId] };
  return (await pool.query<UsedTag>(query)).rows;
}

const COLUMNS = `
  t.id, t.name, t.color, ARRAY(
    SELECT f.name FROM tag_names f WHERE f.organization_id = $1 AND f.tag_id = t.id AND f.retired_at IS NOT NULL
    ORDER BY f.retired_at DESC, f.key
  ) AS "formerNames", (
    SELECT count(*)::integer FROM (
      SELECT FROM chat_tags k WHERE k.organization_id = $1 AND k.tag_id = t.id LIMIT ${MAX_COUNT}
    ) counted
  ) AS chats`;

const LIST = `
  SELECT ${COLUMNS}, t.key FROM tags t
  WHERE t.organization_id = $1 AND t.removed_at IS NULL AND t.key LIKE $3 AND (t.key, t.id) > ($4, $5)
  ORDER BY t.key, t.id LIMIT $2`;

/** The tags of an organization, by name. @param after the last tag of the previous page */
export async function listTags(
  pool: Pool,
  organizationId: string,
  { prefix = '', after, limit }: { prefix?: string; after?: TextPosition; limit: number },
): Promise<(TagRow & { key: string })[]> {
  const values = [organizationId, limit, beginsWith(prefix), after?.key ?? '', after?.id ?? ''];
  return (await pool.query<TagRow & { key: string }>({ name: 'list-tags', text: LIST, values })).rows;
}

const ONE = `SELECT ${COLUMNS} FROM tags t WHERE t.organization_id = $1 AND t.id = $2 AND t.removed_at IS NULL`;

/** Null for an unknown tag, and for one that's being merged or deleted. */
export async function findTag(manager: EntityManager, organizationId: string, id: string): Promise<TagRow | null> {
  const rows: TagRow[] = await manager.query(ONE, [organizationId, id]);
  return rows[0] ?? null;
}

const FILTER = `
  SELECT n.tag_id AS id, (
    SELECT count(*)::integer FROM (
      SELECT FROM chat_tags k WHERE k.organization_id = $1 AND k.tag_id = n.tag_id LIMIT ${RARE + 1}
    ) counted
  ) AS chats
  FROM tag_names n WHERE n.organization_id = $1 AND n.key = ANY ($2)`;

/** No chat has it. */
const UNKNOWN: TagFilter = { tagIds: [''], isRare: true };

/** The filter by these names, present or former; undefined without any. No chat has a tag that doesn't exist. */
export async function findTagFilter(
  client: Pick<Pool, 'query'>,
  organizationId: string,
  names: readonly string[] = [],
): Promise<TagFilter | undefined> {
  if (names.length === 0) return undefined;
  const keys = [...new Set(names.map(tagKey))];
  const query = { name: 'tag-filter', text: FILTER, values: [organizationId, keys] };
  const { rows } = await client.query<{ id: string; chats: number }>(query);
  if (rows.length < keys.length) return UNKNOWN;
  const sorted = rows.toSorted((a, b) => a.chats - b.chats);
  return { tagIds: [...new Set(sorted.map(({ id }) => id))], isRare: sorted[0]!.chats <= RARE };
}
