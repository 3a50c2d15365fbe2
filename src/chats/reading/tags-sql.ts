// The tags of a chat, by name. Only a chat that may have tags is looked up. A deleted tag is left out while its rows are removed.
const namesOf = (result: string, chat: string) => `
  SELECT ${result} FROM chat_tags k JOIN tags t ON t.organization_id = $1 AND t.id = k.tag_id
  WHERE k.organization_id = $1 AND k.chat_id = ${chat}.id AND (t.removed_at IS NULL OR t.merged_into IS NOT NULL)`;

/** SQL: the names of the tags that the chat `c` has in the organization `$1`; null without any. */
export const TAGS_COLUMN = `CASE WHEN c.has_tags THEN ARRAY(${namesOf('t.name', 'c')} ORDER BY t.key) END AS tags`;

/** The same as JSON. */
export const JSON_OF_TAGS = `
  CASE WHEN c.has_tags THEN COALESCE((${namesOf('json_agg(t.name ORDER BY t.key)::text', 'c')}), '[]') ELSE '[]' END`;

/** Which tags a chat must have. */
export interface TagFilter {
  /** All of them, the rarest first. */
  tagIds: readonly string[];
  /** Whether the first one has so few chats that they're read before anything else. */
  isRare: boolean;
}

type Param = (value: unknown) => string;

const ofTag = (tagId: string, param: Param) =>
  `chat_tags k WHERE k.organization_id = $1 AND k.tag_id = ${param(tagId)}`;

/**
 * SQL: whether a chat has all tags of a filter, for a list. Chats of a frequent tag are looked up one by one, in the order of the list: PostgreSQL would
 * read all chats of the tag for an EXISTS.
 * @param chatId the column with its id
 * @param param the parameter with a value
 */
export function sqlHasTags({ tagIds, isRare }: TagFilter, chatId: string, param: Param): string {
  return tagIds
    .map((tagId, index) =>
      index === 0 && isRare
        ? `${chatId} = ANY (ARRAY(SELECT k.chat_id FROM ${ofTag(tagId, param)}))`
        : `(SELECT true FROM ${ofTag(tagId, param)} AND k.chat_id = ${chatId} LIMIT 1) IS TRUE`,
    )
    .join(' AND ');
}

/** The same for a statement that reads all chats, such as a report. */
export function sqlHasTagsOfAll({ tagIds }: TagFilter, chatId: string, param: Param): string {
  return tagIds.map((tagId) => `EXISTS (SELECT FROM ${ofTag(tagId, param)} AND k.chat_id = ${chatId})`).join(' AND ');
}
