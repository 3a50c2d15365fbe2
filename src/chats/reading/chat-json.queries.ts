import { jsonId, jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';
import { sqlOwner } from '../model/chat-status.js';
import { sqlExternalId, sqlIsVerified } from '../../visitors/visitors.queries.js';
import { JSON_OF_TAGS } from './tags-sql.js';

// Metadata and attributes are stored as the JSON text that they were sent as.
const jsonStored = (column: string) => `COALESCE(${column}::text, '{}')`;

// The statement can't see a group or visitor that was created after it started. If the chat was moved to one of these while the
// statement waited for its lock, only the id is known, and the members of `unknown` replace the members of `more`.
const jsonNamed = (
  table: string,
  id: string,
  more: Record<string, string> = {},
  unknown: Record<string, string> = {},
) => `COALESCE(
  (SELECT ${jsonObject({ id: jsonId('r.id'), name: jsonText('r.name'), ...more })}
  FROM ${table} r WHERE r.organization_id = $1 AND r.id = c.${id}),
  ${jsonObject({ id: jsonId(`c.${id}`), name: `'null'`, ...unknown })})`;

/** The sender of a message, from a row of `messages` called `m`. A bot is an AI unless it's known not to be one. */
export const jsonSender = (m: string) =>
  jsonObject(
    { type: jsonId(`${m}.sender_type`), id: jsonText(`${m}.sender_id`), name: jsonText(`${m}.sender_name`) },
    `CASE WHEN ${m}.sender_type = 'BOT' THEN ',"isAi":' || (${m}.sender_is_ai IS NOT FALSE)::text ELSE '' END`,
  );

const visitorMembers = (v: string) => ({
  email: jsonText(`${v}.email`),
  isVerified: `${sqlIsVerified(v)}::text`,
  externalId: jsonText(sqlExternalId(v)),
  metadata: jsonStored(`${v}.metadata`),
  attributes: jsonStored(`${v}.attributes`),
  verifiedAttributes: jsonStored(`${v}.verified_attributes`),
});
const UNKNOWN_VISITOR = {
  email: `'null'`,
  isVerified: `'false'`,
  externalId: `'null'`,
  metadata: `'{}'`,
  attributes: `'{}'`,
  verifiedAttributes: `'{}'`,
};

/** An event's visitor, from a row of `visitors`. @param v its alias */
export const jsonVisitor = (v: string) =>
  jsonObject({ id: jsonId(`${v}.id`), name: jsonText(`${v}.name`), ...visitorMembers(v) });

/**
 * An event's chat, from a row of `chats` of the organization `$1` called `c`: the bot API's chat without messages. The event of a message gets it from
 * `append_messages_1` instead, so a new member needs the next version of that function. Names are looked up row by row, because
 * PostgreSQL plans joins of a few rows of large tables badly.
 */
export const jsonChat = ({
  messageCount = 'c.message_count',
  lastMessageAt = 'c.last_message_at',
  firstResponseAt = 'c.first_response_at',
} = {}) =>
  jsonObject({
    id: jsonId('c.id'),
    status: jsonId('c.status'),
    channel: jsonId('c.channel'),
    createdAt: jsonTime('c.created_at'),
    lastMessageAt: jsonTime(lastMessageAt),
    firstResponseAt: jsonTime(firstResponseAt),
    messageCount,
    metadata: jsonStored('c.metadata'),
    visitor: jsonNamed('visitors', 'visitor_id', visitorMembers('r'), UNKNOWN_VISITOR),
    group: jsonNamed('groups', 'group_id', { botId: jsonText('r.bot_id') }, { botId: `'null'` }),
    assignedTo: `CASE WHEN c.agent_id IS NULL THEN 'null' ELSE ${jsonNamed('agents', 'agent_id')} END`,
    owner: jsonId(sqlOwner()),
    tags: JSON_OF_TAGS,
    attributes: jsonStored('c.attributes'),
  });
