import type { EntityManager } from 'typeorm';
import {
  AI_DISCLOSURE_COLUMN,
  CHAT_COLUMNS,
  CHAT_NAMES,
  type ChatStateRow,
  type ShownDisclosure,
} from '../chats/reading/chats.queries.js';
import type { BotNote } from '../chats/model/chat.entity.js';
import { RATING_COLUMN } from '../chats/reading/ratings.queries.js';
import { READ_COLUMNS } from '../chats/reading/reads.queries.js';
import { EXPORTED_LISTS, type ExportedList, LIST_PAGE } from './visitor-tables.js';

// A queue position is only valid for a moment, so it isn't exported.
const LIST = `
  SELECT ${CHAT_COLUMNS}, a.avatar_url AS "agentAvatarUrl", ${READ_COLUMNS}, ${RATING_COLUMN}, ${AI_DISCLOSURE_COLUMN},
    c.bot_note AS "botNote", NULL AS position, NULL AS pace,
    ${EXPORTED_LISTS.map(({ name, exists }) => `${exists} AS "has_${name}"`).join(', ')}
  FROM (
    SELECT * FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND id > $3 ORDER BY id LIMIT 100
  ) c ${CHAT_NAMES} ORDER BY c.id`;

/** A chat, and which lists it has (`has_notes`), because each takes another query. */
export type ExportedRow = ChatStateRow & { aiDisclosure: ShownDisclosure | null; botNote: BotNote | null } & Record<
    `has_${string}`,
    boolean
  >;

/** The rows of a chat's list, in pages. */
export async function* readList(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  { text }: ExportedList,
): AsyncGenerator<object[]> {
  for (let after: string | null = null, size = LIST_PAGE; size === LIST_PAGE;) {
    const rows: { exportKey: string }[] = await manager.query(text, [organizationId, chatId, after]);
    yield rows.map(({ exportKey: _key, ...row }) => row);
    after = rows.at(-1)?.exportKey ?? null;
    size = rows.length;
  }
}

/** The next chats of a visitor after an id, the oldest first. */
export function listChatStates(
  manager: EntityManager,
  organizationId: string,
  visitorId: string,
  after: string,
): Promise<ExportedRow[]> {
  return manager.query(LIST, [organizationId, visitorId, after]);
}
