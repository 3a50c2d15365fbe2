import pg from 'pg';

const CONTENT = 'Thank you, that is clear. Could you tell me when the parcel will leave your house?';

/** The messages in an ordinary chat. */
const EACH = 10;
/** The most rows that one statement writes. */
const CHUNK = 500_000;
/** The number of chats of a returning visitor. */
const CHATS_OF_ONE = 1_000;

/** The numbers of two agents who request views: one has chats and is in the group with most chats, the other sees all groups. */
const AGENT = 2;
const SUPERVISOR = 3;

// As long as real ids, in the order of their numbers, and older than existing ids.
const id = (prefix, number) => `'${prefix}_01' || lpad((${number})::text, 24, '0')`;
const series = (count) => `generate_series(1, ${count}) AS number`;

// As if a chat had started and ended every ten seconds.
const since = (number) => `now() - interval '1 year' + ${number} * interval '10 seconds'`;

// Mostly closed chats. Some are with the bot, or have another status, another visitor, or an agent.
const addChats = ({ chats }, { organizationId, groupId, visitorId }) => [
  `INSERT INTO visitors (organization_id, id, name, email, external_id, created_at)
   SELECT '${organizationId}', ${id('vis', 'number')}, 'Visitor ' || number,
     CASE WHEN number % 1000 = 0 THEN 'Shared@example.com' ELSE 'visitor' || number || '@example.com' END,
     CASE WHEN number % 2 = 0 THEN 'user-' || number END, now() - interval '1 year'
   FROM ${series(chats)}`,
  `INSERT INTO chats (organization_id, id, visitor_id, group_id, agent_id, status, queued_at, status_changed_at, message_count,
     last_visitor_seq, created_at, last_message_at, first_response_at)
   SELECT '${organizationId}', ${id('cht', 'number')},
     CASE WHEN number % ${chats / CHATS_OF_ONE} = 2 THEN '${visitorId}' ELSE ${id('vis', 'number')} END,
     CASE WHEN number % 3 = 0 THEN ${id('grp', 'number % 200 + 1')} ELSE '${groupId}' END,
     CASE WHEN number % ${chats / 500} = 1 THEN ${id('agt', 'number % 1000 + 1')} END,
     CASE WHEN number % ${chats / 50} = 0 THEN 'QUEUED' WHEN number % ${chats / 500} = 1 THEN 'ACTIVE'
       WHEN number % 20 = 3 THEN 'ACTIVE' WHEN number % 10 = 7 THEN 'ARCHIVED' ELSE 'CLOSED' END,
     CASE WHEN number % ${chats / 50} = 0 THEN ${since('number')} END,
     ${since('number')}, ${EACH}, ${EACH} - 1, ${since('number')}, now(), now()
   FROM ${series(chats)}`,
  `INSERT INTO chat_reads (organization_id, chat_id, side, seq, updated_at)
   SELECT '${organizationId}', ${id('cht', 'number')}, 'visitor', ${EACH}, now() FROM ${series(chats)} WHERE number % 10 = 0`,
];

const addMessages = ({ organizationId, visitorId }, chat, first, last) => `
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, sender_name, created_at)
  SELECT '${organizationId}', ${chat}, seq, 'msg_' || right(${chat}, 17) || lpad(seq::text, 9, '0'), 'TEXT', $1,
    CASE seq % 2 WHEN 0 THEN 'BOT' ELSE 'VISITOR' END, '${visitorId}', 'Vera', now()
  FROM generate_series(${first}::integer, ${last}::integer) AS number CROSS JOIN generate_series(1, $2::integer) AS seq
  ORDER BY number, seq`;

const addPeople = ({ agents, tokens, organizations }, { organizationId, botId, groupId }) => [
  `INSERT INTO groups (organization_id, id, name, created_at)
   SELECT '${organizationId}', ${id('grp', 'number')}, 'Group ' || number, now() FROM ${series(200)}`,
  `INSERT INTO agents (organization_id, id, name, email, email_key, created_at)
   SELECT '${organizationId}', ${id('agt', 'number')}, 'Agent ' || number, 'a' || number || '@example.com',
     'a' || number || '@example.com', now() FROM ${series(agents)}`,
  `INSERT INTO agent_groups (organization_id, group_id, agent_id)
   SELECT '${organizationId}', ${id('grp', '(number + place) % 200 + 1')}, ${id('agt', 'number')}
   FROM ${series(agents)} CROSS JOIN generate_series(0, 1) AS place`,
  `INSERT INTO agent_groups (organization_id, group_id, agent_id) VALUES ('${organizationId}', '${groupId}', ${id('agt', AGENT)})`,
  `UPDATE agents SET role = 'SUPERVISOR' WHERE id = ${id('agt', SUPERVISOR)}`,
  `INSERT INTO bots (organization_id, id, name, created_at)
   SELECT '${organizationId}', ${id('bot', 'number')}, 'Bot ' || number, now() FROM ${series(1_000)}`,
  `INSERT INTO access_tokens (organization_id, id, bot_id, name, token_hash, last_four, created_at)
   SELECT '${organizationId}', ${id('tok', 'number')}, '${botId}', 'Token ' || number, sha256(number::text::bytea), 'abcd', now()
   FROM ${series(tokens)}`,
  `INSERT INTO organizations (id, name, widget_key, identity_secret, created_at)
   SELECT ${id('org', 'number')}, 'Organization', 'prl_wk_' || number, '', now() FROM ${series(organizations)}`,
];

// The state after an outage: nine of ten deliveries succeeded before it. Then come dead ones, retries due tomorrow, and unattempted
// ones. A node has taken some of the last. The webhook is disabled, so nothing is sent.
const addDeliveries = ({ deliveries }, { organizationId }) => {
  const part = (percent) => Math.floor((deliveries * percent) / 100);
  const webhookId = id('whk', '1');
  return [
    `INSERT INTO receivers (organization_id, id, kind, is_enabled, created_at)
     SELECT '${organizationId}', ${id('whk', 'number')}, 'WEBHOOK', false, now() FROM ${series(50)}`,
    `INSERT INTO webhooks (organization_id, id, url, secret)
     SELECT '${organizationId}', ${id('whk', 'number')}, 'https://example.com/', '' FROM ${series(50)}`,
    `INSERT INTO webhook_lanes (organization_id, webhook_id, leased_until, taken_position, taken_at)
     SELECT '${organizationId}', ${id('whk', 'number')}, now() + interval '1 day', ${part(99) + 16}, now()
     FROM ${series(50)}`,
    `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, attempt_count,
       retry_count, due_at, outcome, created_at)
     SELECT '${organizationId}', ${webhookId}, ${id('dlv', 'number')}, number, ${id('cht', 'number')},
       CASE WHEN number % 100 = 0 THEN 'chat.created' WHEN number <= 100 THEN 'chat.transferred' ELSE 'message.created' END,
       repeat('x', 600), CASE WHEN number <= ${part(90)} THEN 1 WHEN number <= ${part(99)} THEN 5 ELSE 0 END, 0,
       CASE WHEN number > ${part(98)} AND number <= ${part(99)} THEN now() + interval '1 day' END,
       CASE WHEN number <= ${part(90)} THEN 'delivered' WHEN number <= ${part(98)} THEN 'dead' END, now()
     FROM ${series(deliveries)}`,
    `INSERT INTO attempts (organization_id, webhook_id, delivery_id, number, at, status, error, duration_ms)
     SELECT organization_id, receiver_id, id, attempt, now(), 503, 'answered 503', 12
     FROM deliveries CROSS JOIN LATERAL generate_series(1, attempt_count) AS attempt`,
  ];
};

/**
 * Makes one of several organizations large. `facts` are `{organizationId, botId, visitorId}`, with a visitor who has a token. Returns the
 * ids for the requests of lists.
 */
export async function fillLists(databaseUrl, sizes, facts) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Foreign keys hold by construction.
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off`);
    const { rows } = await client.query('SELECT id FROM groups WHERE organization_id = $1', [facts.organizationId]);
    const known = { ...facts, groupId: rows[0].id };
    const statements = [...addPeople(sizes, known), ...addChats(sizes, known), ...addDeliveries(sizes, known)];
    for (const statement of statements) await client.query(statement);
    const chat = id('cht', 'number');
    for (let first = 1; first <= sizes.chats; first += CHUNK / EACH) {
      const last = Math.min(sizes.chats, first + CHUNK / EACH - 1);
      await client.query(addMessages(known, chat, first, last), [CONTENT, EACH]);
    }
    await addLongChat(client, known, sizes);
    for (const rest of ['VACUUM ANALYZE', 'CHECKPOINT']) await client.query(rest);
    return idsOf(sizes, known);
  } finally {
    await client.end();
  }
}

/** Adds closed chats with one message each, after the chats from `fillLists`. */
export async function addEnded(databaseUrl, { chats }, { organizationId, groupId, visitorId }, count) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off`);
    const [first, last] = [chats + 2, chats + 1 + count];
    await client.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count,
         last_visitor_seq, created_at, last_message_at)
       SELECT '${organizationId}', ${id('cht', 'number')}, '${visitorId}',
         CASE WHEN number % 3 = 0 THEN ${id('grp', 'number % 200 + 1')} ELSE '${groupId}' END,
         CASE WHEN number % 10 = 7 THEN 'ARCHIVED' ELSE 'CLOSED' END, ${since('number')}, 1, 1, ${since('number')}, now()
       FROM generate_series(${first}, ${last}) AS number`,
    );
    await client.query(addMessages({ organizationId, visitorId }, id('cht', 'number'), first, last), [CONTENT, 1]);
    for (const rest of ['VACUUM ANALYZE', 'CHECKPOINT']) await client.query(rest);
  } finally {
    await client.end();
  }
}

// Another chat of the visitor who has a token.
async function addLongChat(client, known, { chats, longChat }) {
  const { organizationId, visitorId, groupId } = known;
  await client.query(
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
     SELECT '${organizationId}', ${id('cht', chats + 1)}, '${visitorId}', '${groupId}', 'CLOSED', now(), ${longChat}, now()`,
  );
  await client.query(addMessages(known, id('cht', 'number'), chats + 1, chats + 1), [CONTENT, longChat]);
}

function idsOf({ chats, agents, tokens, deliveries, organizations }, { groupId }) {
  const name = (prefix, number) => `${prefix}_01${String(Math.max(1, Math.floor(number))).padStart(24, '0')}`;
  const people = { agent: name('agt', AGENT), supervisor: name('agt', SUPERVISOR) };
  return { name, chats, agents, tokens, deliveries, organizations, people, groupId };
}
