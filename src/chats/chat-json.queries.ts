import { jsonId, jsonObject, jsonText, jsonTime } from '../platform/database/sql-json.js';
import { sqlIsVerified } from '../visitors/visitors.queries.js';

// A group or visitor that is younger than the statement's view is known by its id alone: the chat was moved while its lock was
// waited for. `unknown` is what the members of `more` are then.
const jsonNamed = (
  table: string,
  id: string,
  more: Record<string, string> = {},
  unknown: Record<string, string> = {},
) => `COALESCE(
  (SELECT ${jsonObject({ id: jsonId('r.id'), name: jsonText('r.name'), ...more })}
  FROM ${table} r WHERE r.organization_id = c.organization_id AND r.id = c.${id}),
  ${jsonObject({ id: jsonId(`c.${id}`), name: `'null'`, ...unknown })})`;

const VISITOR = { email: jsonText('r.email'), isVerified: `${sqlIsVerified('r')}::text` };
const UNKNOWN_VISITOR = { email: `'null'`, isVerified: `'false'` };

/**
 * The chat of an event, a row of `chats` called `c`: what the bot API answers, without messages and with who has it. The
 * names around it are looked up row by row: joins of a few rows among large tables are planned badly.
 */
export const jsonChat = ({
  messageCount = 'c.message_count',
  lastMessageAt = 'c.last_message_at',
  firstResponseAt = 'c.first_response_at',
} = {}) =>
  jsonObject({
    id: jsonId('c.id'),
    status: jsonId('c.status'),
    channel: `'"WIDGET"'`,
    createdAt: jsonTime('c.created_at'),
    lastMessageAt: jsonTime(lastMessageAt),
    firstResponseAt: jsonTime(firstResponseAt),
    messageCount,
    visitor: jsonNamed('visitors', 'visitor_id', VISITOR, UNKNOWN_VISITOR),
    group: jsonNamed('groups', 'group_id'),
    assignedTo: `CASE WHEN c.agent_id IS NULL THEN 'null' ELSE ${jsonNamed('agents', 'agent_id')} END`,
  });
