import { APPEND_MESSAGES } from '../../dist/src/messages/append.queries.js';
import { CONTENT } from './load.mjs';

/** The prefix of chat ids as long as real ones. A three-digit number follows. */
export const CHAT_PREFIX = `cht_${'0'.repeat(23)}`;
export const FIRST_CHAT = 100;
const MESSAGE_PREFIX = `msg_${'0'.repeat(7)}`;

/** A script for pgbench that appends one message to a random chat of a random organization. */
export function pgbenchScript(tenants) {
  const statement = APPEND_MESSAGES.replaceAll(
    /\$(\d+)/g,
    (_, number) =>
      ({
        1: only(oneOf(tenants.map(({ organizationId }) => organizationId))),
        2: only(`'${CHAT_PREFIX}' || :chat`),
        3: only(`'${MESSAGE_PREFIX}' || :id`),
        4: only(literal('TEXT')),
        5: only(literal(CONTENT)),
        7: only(literal('BOT')),
        8: only(oneOf(tenants.map(({ bot }) => bot.id))),
        9: only(oneOf(tenants.map(({ bot }) => bot.name))),
        10: only('now()'),
        15: 'now()',
        // Waits for a chat that another client has locked, so that every transaction stores its message.
        20: 'true',
        21: 'false',
      })[number] ?? `'{NULL}'`,
  );
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
  const arrays = [...given, null, null, null, null].map((value) => [value]);
  return [...arrays, new Date(), ...Array.from({ length: 4 }, () => [null]), true, false];
}

/** An array of one message's value. */
function only(value) {
  return `ARRAY[${value}]`;
}

// The text of the current tenant.
function oneOf(texts) {
  return `(ARRAY[${texts.map(literal).join(', ')}])[:tenant]`;
}

function literal(text) {
  return `'${text.replaceAll("'", "''")}'::text`;
}
