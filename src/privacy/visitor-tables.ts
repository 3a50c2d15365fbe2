/** A table with rows about a visitor's chat, by `chat_id`. */
interface TableOfChats {
  /** Whether erasing the visitor removes the chat's rows. Otherwise, `reason` says what happens instead. */
  isErased?: boolean;
  /** The rows as the export lists them in the chat. */
  list?: {
    name: string;
    /** The column that orders the rows. Unique in the chat. */
    key: string;
    /** SQL: the exported columns. */
    columns: string;
    /** SQL: which rows are exported. Default: all. */
    where?: string;
  };
  /** The field of the export that has the rows. */
  field?: string;
  /** Why the rows aren't exported, or aren't erased here. */
  reason?: string;
}

const actorOf = (prefix: string) =>
  `json_build_object('type', ${prefix}_type, 'id', ${prefix}_id, 'name', ${prefix}_name)`;

// Encrypted values are for the endpoint alone. A quote inside of a text is escaped, so only members match.
const WITHOUT_ENCRYPTED = String.raw`
  regexp_replace(content::text, '"encryptedValue": "([^"\\]|\\.)*"', '"encryptedValue": null', 'g')::jsonb`;

/**
 * Every table with data of a visitor, besides `visitors`. Erasing and the export are made from this list, and a test compares it with
 * the database. A new table with a `chat_id` or a `visitor_id` needs its row here.
 */
export const TABLES_OF_CHATS = {
  messages: { field: 'messages', reason: 'erasing turns them into tombstones' },
  message_ratings: { field: 'messages', reason: 'removed with the content of their message' },
  deliveries: { reason: 'copies of messages and changes of the chat, removed with these' },
  chat_reads: { isErased: true, field: 'read' },
  ratings: { isErased: true, field: 'rating' },
  bot_states: {
    isErased: true,
    list: { name: 'botStates', key: 'bot_id', columns: 'bot_id AS "botId", state, updated_at AS "updatedAt"' },
  },
  bot_transcripts: {
    isErased: true,
    list: {
      name: 'transcript',
      key: 'connection_id',
      columns: `${WITHOUT_ENCRYPTED} AS content, updated_at AS "updatedAt"`,
    },
  },
  bot_turns: {
    list: {
      name: 'turns',
      key: 'id',
      columns: `id, bot_id AS "botId", status, code, first_seq AS "firstSeq", last_seq AS "lastSeq", message_ids AS "messageIds",
        created_at AS "createdAt", ended_at AS "endedAt", usage`,
    },
    reason: 'erasing takes the chat from them, because they count',
  },
  handoffs: {
    isErased: true,
    list: {
      name: 'handoffs',
      key: 'id',
      columns: `id, ${actorOf('by')} AS by, reason, summary, note, began_at AS "beganAt", ended_at AS "endedAt", outcome`,
    },
  },
  notes: {
    isErased: true,
    list: {
      name: 'notes',
      key: 'id',
      columns: `id, content, json_build_object('id', author_id, 'name', author_name) AS author,
        created_at AS "createdAt", edited_at AS "editedAt"`,
    },
  },
  person_requests: {
    isErased: true,
    list: { name: 'personRequests', key: 'after_seq', columns: 'requested_at AS "requestedAt"' },
  },
  mails: {
    isErased: true,
    list: {
      name: 'mails',
      key: 'id',
      where: 'visitor_id IS NOT NULL',
      columns: `id, kind, recipient AS "to", status, created_at AS "createdAt", sent_at AS "sentAt"`,
    },
  },
  inbound_mails: {
    isErased: true,
    list: {
      name: 'arrivedMails',
      key: 'id',
      columns: `id, sender AS "from", status, reason, content AS text, received_at AS "receivedAt"`,
    },
  },
  visitor_links: { isErased: true, reason: 'has the hash of a link, and the address, which the mails have too' },
  chat_tags: {
    isErased: true,
    list: {
      name: 'tags',
      key: 'tag_id',
      columns: '(SELECT t.name FROM tags t WHERE t.organization_id = $1 AND t.id = chat_tags.tag_id) AS name',
    },
  },
  chat_offers: { isErased: true, reason: 'says which agents were asked, and nothing of the visitor' },
  push_notifications: { isErased: true, reason: 'says which agents are notified, and nothing of the visitor' },
  files: { field: 'messages', reason: 'removed with their chat, and their bytes with them' },
  file_removals: { reason: 'says which bytes to remove, and nothing of the visitor' },
  bot_silences: { isErased: true, reason: 'follows from the times of the messages' },
  note_mentions: { reason: 'says which agents a note names, and is removed with the note' },
  chat_followers: { reason: 'says which agents follow the chat' },
  change_readers: { reason: 'the position of an index that follows the changes' },
  search_entries: { reason: 'has the words of messages, notes, and the visitor, removed with these' },
  shared_chats: { reason: 'says which copy of a bot has the chat' },
} as const satisfies Record<string, TableOfChats>;

/** The tables with rows of the visitor, by `visitor_id`. They're removed with the visitor. */
export const TABLES_OF_VISITORS = {
  chats: { field: 'chats' },
  visitor_blocks: { field: 'block' },
  mails: { field: 'chats' },
  visitor_links: { field: 'chats' },
} as const;

const TABLES = Object.entries<TableOfChats>(TABLES_OF_CHATS);

/** The statements that remove what the chat `$2` of the organization `$1` has, at the end of its erasure. */
export const ERASE_ROWS_OF_CHAT = TABLES.filter(([, { isErased }]) => isErased).map(
  ([table]) => `DELETE FROM ${table} WHERE organization_id = $1 AND chat_id = $2`,
);

/** A list of the export. */
export interface ExportedList {
  name: string;
  /** SQL: whether the chat `c` has such rows. */
  exists: string;
  /** SQL: at most `LIST_PAGE` rows of the chat `$2`, after the one with the `exportKey` `$3`. */
  text: string;
}

/** The most rows of a list in memory. */
export const LIST_PAGE = 100;

/** The lists of a chat in the export. */
export const EXPORTED_LISTS: readonly ExportedList[] = TABLES.flatMap(([table, { list }]) =>
  list === undefined ? [] : toList(table, list),
);

function toList(
  table: string,
  { name, key, columns, where = 'true' }: NonNullable<TableOfChats['list']>,
): ExportedList {
  const exists = `EXISTS (SELECT FROM ${table} r WHERE r.organization_id = $1 AND r.chat_id = c.id AND ${where})`;
  const text = `
    SELECT ${columns}, ${key}::text AS "exportKey" FROM ${table}
    WHERE organization_id = $1 AND chat_id = $2 AND ${where} AND ($3::text IS NULL OR ${key}::text > $3) ORDER BY ${key}::text LIMIT ${LIST_PAGE}`;
  return { name, exists, text };
}
