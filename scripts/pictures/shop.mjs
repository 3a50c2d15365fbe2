// Fills the demo's organization with what a shop has after a busy morning: people, groups, chats of all kinds, and a month of history.
import { idAt } from '../../dist/src/platform/lib/ids.js';
import { query } from '../../bench/setup/database.mjs';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Sends JSON to an API. @throws Error with the response's body */
const apiOf = (base, token) => async (path, body, method) => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const request = { method: method ?? (body ? 'POST' : 'GET'), headers, body: body && JSON.stringify(body) };
  const response = await fetch(base + path, request);
  if (!response.ok) throw new Error(`${request.method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? null : response.json();
};

const STEPS = `Sorry about that! A squeaking burr is usually a **loose carrier**. Could you try this?

1. Unplug the grinder, and take off the hopper
2. Turn the *upper* burr a quarter turn to the left
3. Clean both burrs:
   - brush off the old grounds
   - never use water
4. Put it back together, and grind 10 g on **setting 18**

If it still squeaks, I’ll get a colleague for you.`;

const SUMMARY = `Grinder “Kranich 40” (order 4711, 12 Nov) squeaks since Monday.

- cleaned the burrs, twice
- setting 18, same noise
- wants a repair or a new burr, *not* a refund`;

/** Chats from the newest to the oldest: `v` is the visitor, `b` the bot, `a` an agent. */
const CHATS = [
  {
    visitor: { name: 'Nora Feld', email: 'nora.feld@example.com' },
    metadata: { page: '/grinders/kranich-40', order: 4711, plan: 'Club' },
    minutes: 6,
    lines: [
      ['v', 'Hi! My Kranich 40 squeaks like a door since Monday 😬 order 4711'],
      ['b', STEPS],
      ['v', 'did all of it, twice. 18, 20, 25 … same noise. its only two weeks old!!'],
      ['handOver', { group: 'Support', reason: 'The grinder still squeaks', summary: SUMMARY }],
      ['claim', 'Ada'],
      [
        'note',
        'Grace',
        'Third Kranich with that noise this month, batch K40-0911. Roastery has new carriers in stock.',
      ],
      [
        'a',
        'Ada',
        'Hi Nora, this is Ada. Two weeks is far too early for that, sorry! I can\n\n- send you a new **carrier** today (you change it with one screw), or\n- swap the whole grinder\n\nWhich one is easier for you?',
      ],
      ['v', 'the carrier please, I have a screwdriver 😄 same address as on the order'],
    ],
  },
  {
    visitor: { name: 'Otis Braun', email: 'otis@braun-und-soehne.example' },
    minutes: 4,
    lines: [
      ['v', 'Our office gets 6 kg a month. Can we pause in December? The office is closed from the 19th to the 7th.'],
      ['b', 'I can see your subscription. I’ll ask a colleague to pause it, because an order is already being packed.'],
      ['handOver', { group: 'Wholesale', reason: 'Pause a subscription, order in progress' }],
    ],
  },
  {
    visitor: { name: 'Świętosława Konstantynopolitańczykowianeczka' },
    minutes: 11,
    lines: [
      ['v', 'Dzień dobry! Paczka utknęła w Poznaniu od trzech dni …'],
      ['handOver', { group: 'Support', reason: 'Parcel stuck for three days' }],
    ],
  },
  {
    visitor: { name: 'Mia' },
    minutes: 14,
    lines: [
      ['v', 'is decaf really decaf? asking for a very nervous friend'],
      ['b', 'Almost! Ours has less than 0.1 % caffeine, which is about 3 mg in a cup. A normal cup has 80 to 120 mg.'],
      ['v', 'ok the friend is me. thx ☕'],
    ],
  },
  {
    visitor: { name: 'Jun Park', email: 'jun.park@example.com' },
    minutes: 19,
    lines: [
      ['v', 'My receipt says 2 × Hamra but only one bag was in the box'],
      ['b', 'Let me check the order with a colleague.'],
      ['handOver', { group: 'Support', reason: 'Missing bag' }],
      ['claim', 'Grace'],
      ['a', 'Grace', 'Found it: the second bag is on the packing table 🙈 It leaves with today’s 4 pm parcel.'],
    ],
  },
  {
    visitor: { name: 'Amira Haddad', email: 'amira@example.com' },
    minutes: 27,
    lines: [
      ['v', 'هل تشحنون إلى عمّان؟'],
      ['b', 'نعم! الشحن إلى عمّان يستغرق من 5 إلى 7 أيام، ورسومه 9 يورو.'],
      ['v', 'ممتاز، شكراً'],
    ],
  },
  {
    minutes: 33,
    lines: [
      [
        'v',
        'https://www.example.com/blog/2026/10/a-very-long-review-of-every-hand-grinder-that-you-can-buy-in-europe-this-year says yours is number 2, what is number 1?',
      ],
      ['b', 'Ha! That would be the one for 390 €. Ours costs 129 €, and you can fix it yourself.'],
    ],
  },
  {
    visitor: { name: 'Walter Noll', email: 'w.noll@example.com' },
    minutes: 41,
    lines: [
      ['v', 'Invoice to my company, please: Noll Mechanik GmbH, DE 129 273 398'],
      ['handOver', { group: 'Sales', reason: 'Invoice with a VAT number' }],
      ['claim', 'Tomasz Wiśniewski'],
      ['a', 'Tomasz Wiśniewski', 'Done, the new invoice is in your mail.'],
    ],
  },
  {
    visitor: { name: 'Elif Kaya' },
    minutes: 52,
    lines: [
      ['v', 'Which of your coffees works in a Moka pot'],
      ['b', '**Mondi**. Grind it a bit coarser than for espresso, and start with hot water.'],
    ],
  },
  {
    visitor: { name: 'Sofia Rossi' },
    minutes: 66,
    lines: [
      ['v', 'ciao'],
      ['b', 'Ciao Sofia! How can I help?'],
    ],
  },
];

const REPLIES = [
  ['carrier', 'A new carrier leaves today. You need one screw, and about five minutes.'],
  ['shipping', 'Parcels in the EU take 2 to 4 days. You get the tracking number by email.'],
  ['refund', 'Your refund is on its way. Banks need up to five days to show it.'],
];

/** Creates the people, groups, replies, and chats. Returns `{main, organizationId}`, with the id of the first chat. */
export async function fillShop({ url, adminToken, databaseUrl }, demo) {
  const admin = apiOf(`${url}/api/admin/organizations/${demo.organizationId}`, adminToken);
  const bot = apiOf(`${url}/api/bot`, demo.token);
  await admin('', { name: 'Fernweh Coffee', timeZone: 'Europe/Berlin' }, 'PATCH');
  const { groups } = await admin('/groups');
  for (const name of ['Wholesale', 'Returns & warranty']) groups.push(await admin('/groups', { name }));
  const idOf = (name) => groups.find((group) => group.name === name).id;
  for (const { id } of groups) await admin(`/groups/${id}`, { routing: 'MANUAL', maxWaitSeconds: 0 }, 'PATCH');
  const { agents } = await admin('/agents');
  for (const name of ['Tomasz Wiśniewski', 'Aisha Okonkwo']) {
    const email = `${name.split(' ')[0].toLowerCase()}@fernweh.example`;
    agents.push(await admin('/agents', { name, email, groupIds: groups.map(({ id }) => id) }));
  }
  const people = new Map();
  for (const { id, name } of agents) {
    await admin(`/agents/${id}`, { groupIds: groups.map((group) => group.id), capacity: 8 }, 'PATCH');
    const link = await admin(`/agents/${id}/sign-in-links`, {});
    const sessions = apiOf(`${url}/api/agent`);
    const session = await sessions('/session/link', { token: new URL(link.url).hash.slice(1), mode: 'token' });
    people.set(name, { id, api: apiOf(`${url}/api/agent`, session.token) });
  }
  for (const [shortcut, content] of REPLIES) await people.get('Ada').api('/replies', { shortcut, content });
  const made = [];
  for (const { visitor = {}, metadata, lines, minutes } of CHATS.toReversed()) {
    const chat = await admin('/chats', { visitor, ...(metadata && { metadata }) });
    for (const line of lines)
      await say(line, { chat, bot, people, idOf, visitors: apiOf(`${url}/api/visitor`, chat.visitorToken) });
    await moveBack(databaseUrl, chat.id, minutes);
    made.push(chat.id);
  }
  await addHistory(databaseUrl, { organizationId: demo.organizationId, groups, agents });
  return { main: made.at(-1), admin, groups, agents, people, idOf };
}

function say([kind, first, second], { chat, bot, people, idOf, visitors }) {
  const chatId = chat.id;
  if (kind === 'v') return visitors(`/chats/${chatId}/messages`, { content: first });
  if (kind === 'b') return bot('/messages', { chatId, content: first });
  if (kind === 'handOver') {
    const { group, ...options } = first;
    return bot('/transfer', { chatId, targetGroupId: idOf(group), ...options });
  }
  const { api } = people.get(first);
  if (kind === 'claim') return api(`/chats/${chatId}/claim`, {});
  return api(`/chats/${chatId}/${kind === 'note' ? 'notes' : 'messages'}`, { content: second });
}

/** Moves a chat back in time, with half a minute between two messages. */
async function moveBack(databaseUrl, chatId, minutes) {
  const at = `now() - interval '${minutes} minutes'`;
  await query(
    databaseUrl,
    `UPDATE messages m SET created_at = ${at} + least(m.seq * interval '35 seconds', interval '${minutes - 0.5} minutes')
     WHERE chat_id = '${chatId}';
     UPDATE notes SET created_at = ${at} + interval '3 minutes' WHERE chat_id = '${chatId}';
     UPDATE handoffs SET began_at = ${at} + interval '1 minute', queued_at = ${at} + interval '1 minute',
       ended_at = CASE WHEN ended_at IS NOT NULL THEN ${at} + interval '2 minutes' END WHERE chat_id = '${chatId}';
     UPDATE chats c SET created_at = ${at}, status_changed_at = ${at},
       queued_at = CASE WHEN queued_at IS NOT NULL THEN ${at} + interval '1 minute' END,
       waiting_since = CASE WHEN waiting_since IS NOT NULL THEN ${at} + interval '1 minute' END,
       last_message_at = (SELECT max(created_at) FROM messages WHERE chat_id = c.id) WHERE id = '${chatId}'`,
  );
}

/** A month of closed chats, hand-overs, and ratings, with quiet weekends and one bad day. */
async function addHistory(databaseUrl, { organizationId, groups, agents }) {
  const rows = [];
  for (let day = 29; day >= 1; day -= 1) {
    const date = new Date(Date.now() - day * DAY);
    const isWeekend = [0, 6].includes(date.getUTCDay());
    const isBad = day === 9;
    const count = Math.round((isWeekend ? 9 : 24) + 7 * Math.sin(day * 1.7) + (isBad ? 26 : 0));
    for (let index = 0; index < count; index += 1) {
      const began = new Date(date.setUTCHours(8, 0, 0, 0) + index * (600 / count) * MINUTE);
      const wait = (isBad ? 260 : 25 + ((index * 37) % 60)) + ((day * 11) % 20);
      const number = day * 100 + index;
      rows.push({
        visitor: `${idAt('vis', began).slice(0, -4)}${String(number).padStart(4, '0')}`,
        chat: `${idAt('cht', began).slice(0, -4)}${String(number).padStart(4, '0')}`,
        handoff: index % 5 < 2 ? `${idAt('hof', began).slice(0, -4)}${String(number).padStart(4, '0')}` : null,
        began,
        assigned: isBad && index % 3 === 0 ? null : new Date(began.getTime() + wait * 1000),
        replied: new Date(began.getTime() + (wait + 20 + ((index * 13) % 40)) * 1000),
        closed: new Date(began.getTime() + (8 + (index % 12)) * MINUTE),
        group: groups[index % groups.length].id,
        agent: agents[index % agents.length].id,
        score: index % 4 === 0 ? (isBad ? 2 + (index % 3) : 4 + (index % 8 === 0 ? 1 : 0)) : null,
      });
    }
  }
  const values = `jsonb_to_recordset($1::jsonb) AS h (visitor text, chat text, handoff text, began timestamptz, assigned timestamptz,
    replied timestamptz, closed timestamptz, "group" text, agent text, score integer)`;
  const json = [JSON.stringify(rows)];
  const insert = (text) => query(databaseUrl, text, json);
  await insert(
    `INSERT INTO visitors (organization_id, id, created_at) SELECT '${organizationId}', visitor, began FROM ${values}`,
  );
  await insert(
    `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
     SELECT '${organizationId}', chat, visitor, "group", 'ARCHIVED', closed, began FROM ${values}`,
  );
  await insert(
    `INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered, unanswered_at, ended_at,
       outcome, how, agent_id, first_reply_at)
     SELECT '${organizationId}', handoff, chat, "group", 'BOT', began, began, 'KEEP',
       CASE WHEN assigned IS NULL THEN began + interval '180 seconds' END, COALESCE(assigned, closed),
       CASE WHEN assigned IS NULL THEN 'CLOSED' ELSE 'ASSIGNED' END, CASE WHEN assigned IS NOT NULL THEN 'CLAIMED' END,
       CASE WHEN assigned IS NOT NULL THEN agent END, CASE WHEN assigned IS NOT NULL THEN replied END
     FROM ${values} WHERE handoff IS NOT NULL`,
  );
  await insert(
    `INSERT INTO ratings (organization_id, chat_id, score, rated_at)
     SELECT '${organizationId}', chat, score, closed FROM ${values} WHERE score IS NOT NULL`,
  );
}
