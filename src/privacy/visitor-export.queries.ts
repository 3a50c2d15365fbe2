import type { EntityManager } from 'typeorm';
import { CHAT_COLUMNS, CHAT_NAMES, type ChatStateRow } from '../chats/reading/chats.queries.js';
import { RATING_COLUMN } from '../chats/reading/ratings.queries.js';
import { READ_COLUMNS } from '../chats/reading/reads.queries.js';

// A queue position is only valid for a moment, so it isn't exported.
const LIST = `
  SELECT ${CHAT_COLUMNS}, a.avatar_url AS "agentAvatarUrl", ${READ_COLUMNS}, ${RATING_COLUMN},
    NULL AS position, NULL AS pace
  FROM (
    SELECT * FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND id > $3 ORDER BY id LIMIT 100
  ) c ${CHAT_NAMES} ORDER BY c.id`;

/** The next chats of a visitor after an id, the oldest first. */
export function listChatStates(
  manager: EntityManager,
  organizationId: string,
  visitorId: string,
  after: string,
): Promise<ChatStateRow[]> {
  return manager.query(LIST, [organizationId, visitorId, after]);
}
