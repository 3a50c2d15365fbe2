import type { EntityManager } from 'typeorm';
import { CHAT_COLUMNS, CHAT_NAMES, type ChatStateRow } from '../chats/reading/chats.queries.js';
import { RATING_COLUMN } from '../chats/reading/ratings.queries.js';
import { READ_COLUMNS } from '../chats/reading/reads.queries.js';

// A queue position is only valid for a moment, so it isn't exported.
const LIST = `
  SELECT ${CHAT_COLUMNS}, a.avatar_url AS "agentAvatarUrl", ${READ_COLUMNS}, ${RATING_COLUMN},
    NULL AS position, NULL AS pace,
    EXISTS (SELECT FROM bot_states s WHERE s.organization_id = $1 AND s.chat_id = c.id) AS "hasBotStates"
  FROM (
    SELECT * FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND id > $3 ORDER BY id LIMIT 100
  ) c ${CHAT_NAMES} ORDER BY c.id`;

/** A chat, and whether a bot has kept something about it, because that takes another query. */
export type ExportedRow = ChatStateRow & { hasBotStates: boolean };

/** The next chats of a visitor after an id, the oldest first. */
export function listChatStates(
  manager: EntityManager,
  organizationId: string,
  visitorId: string,
  after: string,
): Promise<ExportedRow[]> {
  return manager.query(LIST, [organizationId, visitorId, after]);
}
