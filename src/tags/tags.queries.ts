import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { groupsSeenBy, seenAs, type Viewer } from '../chats/model/chat-rights.js';
import type { TagFilter } from '../chats/reading/tags-sql.js';
import type { TextPosition } from '../platform/lib/cursor.js';
import { MAX_TAGS, tagKey } from './tag-key.js';

/** The highest number of chats that's counted for a tag. */
const MAX_COUNT = 1_000;
/** The most tags of a list for bots and agents. */
const MAX_USED = 50;
/** How many tags of chats are counted for a viewer who sees all, and how many chats for another one. */
const MAX_TAGGINGS = 10_000;
const MAX_CHATS = 2_000;
/** The chats of a tag with at most this many are read before anything else. */
const RARE = 2_000;

/** A tag that chats have. */
export interface UsedTag {
  name: string;
  color: string | null;
  /** Up to 1,000. In `findUsedTags`, of the newest chats. */
  chats: number;
}

/** A tag as administrators see it. */
export interface TagRow extends UsedTag {
  id: string;
  /** The newest first. */
  formerNames: string[];
}

/** A LIKE pattern for the keys that begin with a prefix. */
const beginsWith = (prefix: string) => `${tagKey(prefix).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

// Counts only the tags of the newest chats, so that the work is bounded however many chats there are.
const usedIn = (newest: string, isUsed: string) => `
  SELECT t.name, t.color, COALESCE(n.chats, 0) AS chats FROM tags t LEFT JOIN (
    SELECT s.tag_id, LEAST(count(*), ${MAX_COUNT})::integer AS chats FROM (${newest}) s GROUP BY s.tag_id
  ) n ON n.tag_id = t.id
  WHERE t.organization_id = $1 AND t.removed_at IS NULL AND t.key LIKE $2 AND ${isUsed}
  ORDER BY COALESCE(n.chats, 0) DESC, t.key LIMIT ${MAX_USED}`;
// An erased chat has no tags, so the chats needn't be read for a viewer who sees all.
const USED_IN_ALL = usedIn(
  `SELECT k.tag_id FROM chat_tags k WHERE k.organization_id = $1
  ORDER BY k.chat_id DESC, k.tag_id DESC LIMIT ${MAX_TAGGINGS}`,
  'EXISTS (SELECT FROM chat_tags k WHERE k.organization_id = $1 AND k.tag_id = t.id)',
);
const TAGGED = 'c.organization_id = $1 AND c.has_tags AND c.erased_at IS NULL';
const GROUPS = groupsSeenBy('AGENT', '$3');
// The groups' chats, and the agent's own open ones. BETWEEN keeps the planner from reading chats by id until enough are of the group.
const USED_IN_SEEN = usedIn(
  `SELECT k.tag_id FROM (
    SELECT c.id FROM (${GROUPS}) g CROSS JOIN LATERAL (
      SELECT c.id FROM chats c WHERE ${TAGGED} AND c.group_id BETWEEN g.id AND g.id
      ORDER BY c.group_id DESC, c.id DESC LIMIT ${MAX_CHATS} / (SELECT count(*) FROM (${GROUPS}) a) + 1
    ) c
    UNION (SELECT c.id FROM chats c WHERE ${TAGGED} AND c.agent_id = $3 LIMIT ${MAX_CHATS})
  ) c CROSS JOIN LATERAL (
    SELECT k.tag_id FROM chat_tags k WHERE k.organization_id = $1 AND k.chat_id = c.id LIMIT ${MAX_TAGS}
  ) k`,
  'n.chats > 0',
);

/**
 * The 50 most used tags in the chats that the viewer may open; a bot may open all. For a viewer who sees all chats, it counts the newest
 * 10,000 tags of chats, and tags that only older chats have are 0. For another agent, it counts the tags of the newest 2,000 tagged chats
 * of the agent's groups, in equal shares.
 */
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
