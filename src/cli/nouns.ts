import { ROLES } from '../agents/role.js';
import { ON_UNANSWERED, ROUTINGS } from '../groups/routing.js';
import { OWNERS } from '../chats/model/chat-owner.js';
import { CHAT_STATUSES } from '../chats/model/chat-status.js';
import { EVENT_TYPES } from '../outbox/event-type.js';
import { SENDER_TYPES } from '../messages/message.js';
import { free, number, text, time, valueOf } from './columns.js';
import type { Field, Noun } from './noun.js';
import type { Item } from './service.js';
import { widget } from './widget-noun.js';

const created = time('createdAt', 'created (utc)');
const named = free('name', ({ name }) => name);
const lengthOf = (list: unknown) => (list as unknown[]).length;

function name(of: string): Field {
  return { flags: '--name <name>', about: `the name of the ${of}`, field: 'name', isRequired: true };
}

const status: Field = {
  flags: '--status <status>',
  about: CHAT_STATUSES.join(', '),
  field: 'status',
};

const organization: Noun = {
  name: 'organization',
  about: 'the tenants: each has its own groups, agents, bots, webhooks and chats',
  columns: [
    text('id'),
    named,
    free('allowed origins', ({ allowedOrigins }) => (lengthOf(allowedOrigins) > 0 ? allowedOrigins : 'any')),
    created,
  ],
  create: [
    name('organization'),
    {
      flags: '--allowed-origins <origins>',
      about: 'sites that may embed the chat, with commas between them; "" for any',
      field: 'allowedOrigins',
      isList: true,
    },
    {
      flags: '--retention-days <days>',
      about: 'remove what is older than so many days, 1 to 3650; "off" keeps everything',
      field: 'retentionDays',
      numberOr: 'off',
    },
    {
      flags: '--typing-preview',
      about: 'let the agent who has a chat see what its visitor is writing; visitors are told so',
      field: 'typingPreview',
      value: true,
    },
    { flags: '--typing-preview-off', about: 'let them not', field: 'typingPreview', value: false },
  ],
  deleting: 'with everything in it: groups, agents, bots and their tokens, webhooks, visitors, chats and messages',
};
organization.update = [
  ...organization.create!,
  {
    flags: '--time-zone <zone>',
    about: 'whose days its reports count: a name like Europe/Berlin; new ones have UTC',
    field: 'timeZone',
  },
];

const group: Noun = {
  name: 'group',
  about: 'the groups of agents that chats are handed to',
  columns: [text('id'), named, text('isDefault', 'default'), { ...text('routing'), isExtra: true }, created],
  create: [
    name('group'),
    { flags: '--default', about: 'make it the default group, instead of the other', field: 'isDefault', value: true },
    { flags: '--routing <routing>', about: `${ROUTINGS.join(', ')}; left out: MANUAL`, field: 'routing' },
    {
      flags: '--offer-seconds <seconds>',
      about: 'how long an agent may think about an offer, 10 to 600; left out: 30',
      field: 'offerSeconds',
      isNumber: true,
    },
    {
      flags: '--max-pending-offers <count>',
      about: 'the most offers that an agent may have at once, 1 to 100; left out: 2',
      field: 'maxPendingOffers',
      isNumber: true,
    },
    {
      flags: '--max-wait-seconds <seconds>',
      about: 'after how long a waiting chat is unanswered, up to 86400; 0: never; left out: 180',
      field: 'maxWaitSeconds',
      isNumber: true,
    },
    { flags: '--on-unanswered <what>', about: `${ON_UNANSWERED.join(', ')}; left out: KEEP`, field: 'onUnanswered' },
    {
      flags: '--offline-reassign-seconds <seconds>',
      about: "after how long offline an agent's chats wait again, up to 86400; 0: never; left out: 120",
      field: 'offlineReassignSeconds',
      isNumber: true,
    },
  ],
  deleting: 'its chats go to the default group',
};
group.update = group.create;

const agent: Noun = {
  name: 'agent',
  about: 'the people who answer',
  columns: [
    text('id'),
    named,
    free('email', ({ email }) => email),
    { ...text('role'), isExtra: true },
    { ...text('isEnabled', 'enabled'), isExtra: true },
    number('groups', (row) => lengthOf(row.groupIds)),
    created,
  ],
  create: [
    name('agent'),
    { flags: '--email <email>', about: 'an email address, once in the organization', field: 'email', isRequired: true },
    {
      flags: '--groups <ids>',
      about: 'the groups they are in, ids with commas between them; "" for none',
      field: 'groupIds',
      isList: true,
    },
    { flags: '--role <role>', about: `${ROLES.join(', ')}; left out: AGENT`, field: 'role' },
    {
      flags: '--capacity <chats>',
      about: 'the most chats at once that routing gives them, 1 to 100; left out: 6',
      field: 'capacity',
      isNumber: true,
    },
    {
      flags: '--avatar-url <url>',
      about: 'a picture of them, at an https address; "" for none',
      field: 'avatarUrl',
      textOr: '',
    },
  ],
  actions: [
    {
      verb: 'link',
      about: 'make a link to sign in: it works once, for 72 hours, and ends the one before',
      method: 'post',
      path: '/sign-in-links',
    },
    {
      verb: 'disable',
      about: 'end their sessions and links, and let them sign in no more',
      method: 'patch',
      path: '',
      body: { isEnabled: false },
    },
    { verb: 'enable', about: 'let them sign in again', method: 'patch', path: '', body: { isEnabled: true } },
  ],
  deleting: 'their chats wait for another agent of the group',
};
agent.update = agent.create;

const audit: Noun = {
  name: 'audit',
  about: 'who signed in, failed to, or changed what; kept for 180 days, the latest first',
  path: 'audit',
  items: 'entries',
  isListOnly: true,
  isExported: true,
  filters: [
    { flags: '--action <action>', about: 'what was done: agent.role_changed', field: 'action' },
    { flags: '--actor <id>', about: 'who did it: the id of an agent, ADMIN_TOKEN, or SYSTEM', field: 'actor' },
    { flags: '--target <id>', about: 'what it was done to', field: 'target' },
    { flags: '--from <time>', about: 'from this time on: 2026-11-01T00:00:00Z', field: 'from' },
    { flags: '--to <time>', about: 'before this time', field: 'to' },
  ],
  columns: [
    time('at', 'at (utc)', { isExtra: false }),
    text('action'),
    free('actor', ({ actor }) => {
      const { type, id, name: of } = actor as Item;
      return [type, of ?? id].filter(Boolean).join(' ');
    }),
    text('target'),
    free('name', ({ targetName }) => targetName),
    { ...free('changes', ({ changes }) => (changes as Item[]).map(changeOf).join(', ')), isExtra: true },
    { ...free('source', ({ sourceAddress }) => sourceAddress), isExtra: true },
  ],
};

function changeOf({ field, from, to }: Item): string {
  return `${field as string}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;
}

const bot: Noun = {
  name: 'bot',
  about: 'the programs that answer',
  columns: [text('id'), named, created],
  create: [name('bot')],
  deleting: 'with its access tokens, which are refused from then on',
  actions: [
    {
      verb: 'subscription',
      about: 'show what it fetches with GET /api/bot/events, how much waits and when it called last',
      method: 'get',
      path: '/subscription',
    },
  ],
};
bot.update = bot.create;

const token: Noun = {
  name: 'token',
  about: 'the access tokens of a bot',
  parent: 'bot',
  columns: [
    text('id'),
    named,
    { title: 'ends in', of: ({ lastFour }) => valueOf(lastFour) },
    time('expiresAt', 'expires', { isExtra: false, nothing: 'never', length: 10 }),
    time('lastUsedAt', 'last used (utc)', { nothing: 'never' }),
  ],
  create: [
    { flags: '--name <name>', about: 'what it is for', field: 'name' },
    { flags: '--expires-at <time>', about: 'when it ends: 2027-01-31T00:00:00Z; left out: never', field: 'expiresAt' },
  ],
  deleting: 'it is refused from then on',
  deleteAliases: ['revoke'],
};

const webhookOptions: Field[] = [
  { flags: '--url <url>', about: 'where the events go', field: 'url', isRequired: true },
  {
    flags: '--events <events>',
    about: `with commas between them: ${EVENT_TYPES.join(', ')}; left out: all`,
    field: 'events',
    isList: true,
  },
  {
    flags: '--sender-types <types>',
    about: `whose messages, with commas between them: ${SENDER_TYPES.join(', ')}; left out: everybody's`,
    field: 'senderTypes',
    isList: true,
  },
  { flags: '--enabled', about: 'send to it', field: 'isEnabled', value: true },
  { flags: '--disabled', about: 'send nothing to it for now', field: 'isEnabled', value: false },
];

const isSuccessStatus = ({ status: code }: Item) => typeof code === 'number' && code >= 200 && code < 300;

const webhook: Noun = {
  name: 'webhook',
  about: 'where an organization is told of what happens',
  columns: [
    text('id'),
    free('url', ({ url }) => url),
    text('isEnabled', 'enabled'),
    free('events', ({ events }) => (lengthOf(events) === EVENT_TYPES.length ? 'all' : events)),
    created,
  ],
  create: webhookOptions,
  update: webhookOptions,
  deleting: 'what waits to be sent to it goes with it',
  actions: [
    {
      verb: 'ping',
      about: 'send a signed test event now and tell what came back; exit code 1 when that was no success',
      method: 'post',
      path: '/ping',
      isSuccess: isSuccessStatus,
    },
    {
      verb: 'rotate-secret',
      about: 'make a new secret; the one before signs too for 24 hours',
      method: 'post',
      path: '/rotate-secret',
    },
  ],
};

const chat: Noun = {
  name: 'chat',
  about: "the visitors' conversations",
  columns: [
    text('id'),
    text('status'),
    free('visitor', ({ visitor }) => (visitor as Item).name ?? (visitor as Item).email),
    free('group', ({ group: of }) => (of as Item).name),
    { ...number('messages', ({ messageCount }) => messageCount), isExtra: true },
    time('lastMessageAt', 'last message (utc)'),
  ],
  parts: {
    messages: [
      text('seq'),
      time('createdAt', 'at (utc)'),
      free('sender', ({ sender }) =>
        `${(sender as Item).type as string} ${((sender as Item).name as string) ?? ''}`.trim(),
      ),
      text('type'),
      free('content', ({ content }) => content),
    ],
  },
  filters: [
    status,
    { flags: '--owner <owner>', about: `who is expected to answer: ${OWNERS.join(', ')}`, field: 'owner' },
  ],
  create: [
    { flags: '--visitor-name <name>', about: 'the name of the new visitor', field: 'visitor.name' },
    { flags: '--visitor-email <email>', about: 'the email address of the new visitor', field: 'visitor.email' },
    { flags: '--group <id>', about: 'the group it waits in; left out: the default group', field: 'groupId' },
  ],
  update: [status],
  actions: [
    { verb: 'close', about: 'end it', method: 'patch', path: '', body: { status: 'CLOSED' } },
    { verb: 'archive', about: 'put it away', method: 'patch', path: '', body: { status: 'ARCHIVED' } },
    { verb: 'reopen', about: 'make it active again', method: 'patch', path: '', body: { status: 'ACTIVE' } },
  ],
};

const visitor: Noun = {
  name: 'visitor',
  about: 'the people on the other end',
  columns: [
    text('id'),
    free('name', ({ name: of }) => of),
    free('email', ({ email }) => email),
    free('external id', ({ externalId }) => externalId),
    created,
  ],
  filters: [
    { flags: '--search <text>', about: 'whose email, name or external id begins so', field: 'search' },
    { flags: '--email <email>', about: 'whose email address this is', field: 'email' },
    { flags: '--external-id <id>', about: 'the `sub` of their signed identity', field: 'externalId' },
  ],
  deleting: 'with all that was said in their chats, by either side; nothing brings it back',
  deleteAliases: ['erase'],
  isExported: true,
};

const delivery: Noun = {
  name: 'delivery',
  about: 'what was sent, or waits to be sent, to a webhook',
  parent: 'webhook',
  columns: [
    text('id'),
    text('type'),
    text('status'),
    number('attempts', ({ attempts }) => lengthOf(attempts)),
    free('last answer', ({ attempts }) => {
      const last = (attempts as Item[]).at(-1);
      return last?.error ?? last?.status;
    }),
    time('nextAttemptAt', 'next attempt (utc)'),
  ],
  parts: {
    attempts: [
      { title: 'at', of: ({ at }) => valueOf(at) },
      text('status'),
      number('milliseconds', ({ durationMs }) => durationMs),
      free('error', ({ error }) => error),
    ],
  },
  filters: [
    { flags: '--status <status>', about: 'pending, in_flight, delivered, dead', field: 'status' },
    { flags: '--type <type>', about: EVENT_TYPES.join(', '), field: 'type' },
  ],
};

export const NOUNS: readonly Noun[] = [
  organization,
  widget,
  group,
  agent,
  bot,
  token,
  webhook,
  chat,
  visitor,
  delivery,
  audit,
];
