import { APPEND } from '../../dist/src/messages/append.queries.js';
import { CONTENT } from './load.mjs';

/** The prefix of chat ids as long as real ones. A three-digit number follows. */
export const CHAT_PREFIX = `cht_${'0'.repeat(23)}`;
export const FIRST_CHAT = 100;
const MESSAGE_PREFIX = `msg_${'0'.repeat(7)}`;

/** A script for pgbench that appends one message to a random chat of a random organization. */
export function pgbenchScript(tenants) {
  const statement = withValues(withoutColons(APPEND), {
    1: oneOf(tenants.map(({ organizationId }) => organizationId)),
    2: `('${CHAT_PREFIX}' || :chat)`,
    3: `('${MESSAGE_PREFIX}' || :id)`,
    4: literal('TEXT'),
    5: literal(CONTENT),
    7: literal('BOT'),
    8: oneOf(tenants.map(({ bot }) => bot.id)),
    9: oneOf(tenants.map(({ bot }) => bot.name)),
    10: 'now()',
  });
  return [
    `\\set tenant random(1, ${tenants.length})`,
    `\\set chat random(${FIRST_CHAT}, ${FIRST_CHAT + tenants[0].chats.length - 1})`,
    // 19 random digits, so that none repeats.
    '\\set id random(1000000000000000000, 9000000000000000000)',
    `${statement.trim()};`,
    '',
  ].join('\n');
}

/** The same values, for a client that binds them itself. */
export function appendValues({ organizationId, bot, chats }) {
  const chat = FIRST_CHAT + Math.floor(Math.random() * chats.length);
  const id = String(Math.random()).slice(2).padEnd(19, '0').slice(0, 19);
  const [chatId, messageId] = [CHAT_PREFIX + chat, MESSAGE_PREFIX + id];
  const given = [organizationId, chatId, messageId, 'TEXT', CONTENT, null, 'BOT', bot.id, bot.name, new Date()];
  return [...given, ...Array.from({ length: PARAMETERS - given.length }, () => null)];
}

const PARAMETERS = Math.max(...[...APPEND.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

// Parameters without a value are null, as for a message without metadata and idempotency key.
function withValues(text, values) {
  return text.replaceAll(/\$(\d+)/g, (_, number) => values[number] ?? 'NULL');
}

// pgbench treats every `:name` as a variable, even inside quotes, where time formats have colons.
function withoutColons(text) {
  return text.replaceAll(/(?<!:):(?=\w)/g, `' || chr(58) || '`);
}

// The text of the current tenant.
function oneOf(texts) {
  return `(ARRAY[${texts.map(literal).join(', ')}])[:tenant]`;
}

function literal(text) {
  return `'${text.replaceAll("'", "''")}'::text`;
}
