import { SCOPES } from '../auth/bots/scope.js';
import { ROLES } from '../agents/role.js';
import { ON_UNANSWERED, ROUTINGS } from '../groups/routing.js';
import { OWNERS, CHAT_STATUSES } from '../chats/model/chat-status.js';
import { EVENT_TYPES } from '../receivers/event-type.js';
import { SENDER_TYPES } from '../messages/message.js';
import { free, number, text, time, valueOf } from './columns.js';
import type { Field, Noun } from './noun.js';
import type { Item } from './service.js';
import { ENTRY_COLUMNS, expires, expiresAt, INSTALLATION_NOUNS, lastUsed, NEVER } from './nouns/installation.js';
import { MAIL_FIELDS } from './nouns/mail.js';
import { attributeKey, tag } from './nouns/tag.js';
import { widget } from './nouns/widget.js';

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

const attributes: Field = {
  flags: '--attributes <json>',
  about: `what is known of it, merged by key: '{"plan":"gold","trial":null}'; null removes a key`,
  field: 'attributes',
  isJson: true,
};

/** Whether bots may only act in chats that they have. */
function onlyOwnChats(of: string): Field[] {
  return [
    {
      flags: '--only-own-chats',
      about: `refuse messages, typing, and transfers of ${of} in chats of agents`,
      field: 'onlyOwnChats',
      value: true,
    },
    {
      flags: '--only-own-chats-off',
      about: 'allow them, unless the request has ifOwner; the default',
      field: 'onlyOwnChats',
      value: false,
    },
  ];
}

/** The office hours of an organization or a group. */
const officeHours: Field = {
  flags: '--office-hours <json>',
  about:
    'office hours: {"timeZone": "Europe/Berlin", "week": {"monday": [{"from": "09:00", "to": "17:00"}]}}; "" for none',
  field: 'officeHours',
  isJson: true,
  textOr: '',
};

const organization: Noun = {
  name: 'organization',
  about: 'the tenants: each has its own groups, agents, bots, webhooks, and chats',
  columns: [
    text('id'),
    named,
    free('allowed origins', ({ allowedOrigins }) => (lengthOf(allowedOrigins) > 0 ? allowedOrigins : 'any')),
    created,
    { ...time('removeAt', 'removed at (utc)', { isExtra: false }), isIn: ({ removeAt }) => removeAt !== undefined },
  ],
  create: [
    name('organization'),
    {
      flags: '--allowed-origins <origins>',
      about: 'sites that may embed the chat, separated by commas; "" for any',
      field: 'allowedOrigins',
      isList: true,
    },
    {
      flags: '--retention-days <days>',
      about: 'days that messages are kept, 1 to 3650; "off" keeps everything',
      field: 'retentionDays',
      numberOr: 'off',
    },
    {
      flags: '--typing-preview',
      about: "let a chat's agent see what the visitor is typing; the widget shows a notice",
      field: 'typingPreview',
      value: true,
    },
    { flags: '--typing-preview-off', about: 'disable typing previews', field: 'typingPreview', value: false },
    {
      flags: '--store-addresses',
      about: "store the clients' IP addresses in the audit log; the default",
      field: 'storeAddresses',
      value: true,
    },
    {
      flags: '--store-addresses-off',
      about: 'store no IP address, and remove the stored ones',
      field: 'storeAddresses',
      value: false,
    },
    ...onlyOwnChats('all bots'),
    {
      flags: '--simple-bot',
      about: 'begin with a bot that follows the built-in script',
      field: 'simpleBot',
      value: true,
    },
    { flags: '--visitor-uploads', about: 'let visitors send files', field: 'visitorUploads', value: true },
    {
      flags: '--visitor-uploads-off',
      about: 'accept no files from visitors; the default',
      field: 'visitorUploads',
      value: false,
    },
    {
      flags: '--file-quota <bytes>',
      about: 'bytes of files that may be stored, by default 10737418240; "off" for no limit',
      field: 'fileQuota',
      numberOr: 'off',
    },
  ],
  filters: [
    {
      flags: '--deleted',
      about: 'list the deleted ones instead, and when they are removed',
      field: 'deleted',
      value: true,
    },
  ],
  actions: [
    { verb: 'restore', about: 'restore a deleted one, with everything in it', method: 'post', path: '/restore' },
    {
      verb: 'rotate-identity-secret',
      about: 'create a new identity secret; identities that the previous one signs are valid for 24 more hours',
      method: 'post',
      path: '/rotate-identity-secret',
    },
  ],
  deleting: 'with everything in it: groups, agents, bots and their tokens, webhooks, visitors, chats, and messages',
  deletesNow: 'remove the data immediately; without it, you can restore the organization for DELETED_ORGANIZATION_DAYS',
};
organization.update = [
  ...organization.create!.filter(({ field }) => field !== 'simpleBot'),
  {
    flags: '--time-zone <zone>',
    about: 'the time zone of reports, such as Europe/Berlin; default: UTC',
    field: 'timeZone',
  },
  {
    flags: '--away-after <minutes>',
    about: 'minutes without input until an agent gets no chats, up to 480; 0 for never',
    field: 'awayAfterMinutes',
    isNumber: true,
  },
  {
    flags: '--bot-silence-seconds <seconds>',
    about:
      "seconds until agents get a chat whose bots haven't taken the visitor's message, up to 86400; 0 for never; default: 120",
    field: 'botSilenceSeconds',
    isNumber: true,
  },
  {
    flags: '--bot-reply-seconds <seconds>',
    about:
      "seconds until agents get a chat whose bots haven't answered the visitor, up to 86400; 0 for never; the default",
    field: 'botReplySeconds',
    isNumber: true,
  },
  {
    flags: '--late-after <seconds>',
    about: "seconds without an answer until an agent's chat counts as late, up to 86400; default: 300",
    field: 'lateAfterSeconds',
    isNumber: true,
  },
  officeHours,
  ...MAIL_FIELDS,
];

const group: Noun = {
  name: 'group',
  about: 'the groups of agents that chats are transferred to',
  columns: [text('id'), named, text('isDefault', 'default'), { ...text('routing'), isExtra: true }, created],
  create: [
    name('group'),
    { flags: '--default', about: 'make it the default group', field: 'isDefault', value: true },
    { flags: '--routing <routing>', about: `${ROUTINGS.join(', ')}; default: MANUAL`, field: 'routing' },
    {
      flags: '--offer-seconds <seconds>',
      about: 'how long an agent has to answer an offer, 10 to 600; default: 30',
      field: 'offerSeconds',
      isNumber: true,
    },
    {
      flags: '--max-pending-offers <count>',
      about: 'the most pending offers of an agent, 1 to 100; default: 2',
      field: 'maxPendingOffers',
      isNumber: true,
    },
    {
      flags: '--max-wait-seconds <seconds>',
      about: 'how long a chat waits until it counts as unanswered, up to 86400; 0: forever; default: 180',
      field: 'maxWaitSeconds',
      isNumber: true,
    },
    { flags: '--on-unanswered <what>', about: `${ON_UNANSWERED.join(', ')}; default: KEEP`, field: 'onUnanswered' },
    {
      flags: '--offline-reassign-seconds <seconds>',
      about:
        'how long an agent may be offline until their chats are queued again, up to 86400; 0: forever; default: 120',
      field: 'offlineReassignSeconds',
      isNumber: true,
    },
    {
      flags: '--bot <id>',
      about: 'the only bot that gets the chats of this group; "" for every bot',
      field: 'botId',
      textOr: '',
    },
    officeHours,
  ],
  deleting: 'its chats go to the default group',
};
group.update = group.create;

const agent: Noun = {
  name: 'agent',
  about: 'the people who answer chats',
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
    {
      flags: '--email <email>',
      about: 'the email address, unique in the organization',
      field: 'email',
      isRequired: true,
    },
    {
      flags: '--groups <ids>',
      about: 'the ids of their groups, separated by commas; "" for none',
      field: 'groupIds',
      isList: true,
    },
    { flags: '--role <role>', about: `${ROLES.join(', ')}; default: AGENT`, field: 'role' },
    {
      flags: '--capacity <chats>',
      about: 'the most open chats that routing gives them, 1 to 100; default: 6',
      field: 'capacity',
      isNumber: true,
    },
    {
      flags: '--avatar-url <url>',
      about: 'the address of their picture, which Parley fetches and serves; "" for none',
      field: 'avatarUrl',
      textOr: '',
    },
  ],
  actions: [
    {
      verb: 'link',
      about: 'create a sign-in link, valid once and for 72 hours; replaces the previous link',
      method: 'post',
      path: '/sign-in-links',
    },
    {
      verb: 'disable',
      about: 'end their sessions and links, and keep them from signing in',
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
  about: 'sign-ins, failed sign-ins, and changes of the last 180 days, newest first',
  path: 'audit',
  items: 'entries',
  isListOnly: true,
  isExported: true,
  filters: [
    { flags: '--action <action>', about: 'the action, such as agent.role_changed', field: 'action' },
    {
      flags: '--actor <id>',
      about: 'who acted: the id of an agent or an operator, ADMIN_TOKEN, or SYSTEM',
      field: 'actor',
    },
    { flags: '--target <id>', about: 'the id of the thing that was changed', field: 'target' },
    { flags: '--from <time>', about: 'from this time on, such as 2026-11-01T00:00:00Z', field: 'from' },
    { flags: '--to <time>', about: 'before this time', field: 'to' },
  ],
  columns: [
    ...ENTRY_COLUMNS,
    { ...free('changes', ({ changes }) => (changes as Item[]).map(changeOf).join(', ')), isExtra: true },
    { ...free('source', ({ sourceAddress }) => sourceAddress), isExtra: true },
  ],
};

const health: Noun = {
  name: 'health',
  about: 'what needs an administrator: webhooks, bots, groups, and e-mails with troubles',
  path: 'health',
  items: 'troubles',
  isListOnly: true,
  columns: [
    text('kind'),
    text('id'),
    named,
    time('since', 'since (utc)', { isExtra: false }),
    number('count', ({ count }) => count),
  ],
};

function changeOf({ field, from, to }: Item): string {
  return `${field as string}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;
}

const bot: Noun = {
  name: 'bot',
  about: 'the programs that answer chats',
  columns: [text('id'), named, created],
  create: [
    name('bot'),
    ...onlyOwnChats('the bot'),
    { flags: '--ai', about: 'tell visitors that it is an AI; the default', field: 'isAi', value: true },
    { flags: '--ai-off', about: 'a bot of fixed answers, which is no AI', field: 'isAi', value: false },
  ],
  deleting: 'with its access tokens, which are refused from then on',
  actions: [
    {
      verb: 'subscription',
      about: 'show the events it polls for, how many wait, and when it last polled',
      method: 'get',
      path: '/subscription',
    },
    {
      verb: 'pause',
      about: 'pause its connection: agents get new messages',
      method: 'patch',
      path: '/connection',
      body: { isEnabled: false },
    },
    { verb: 'resume', about: 'let it answer again', method: 'patch', path: '/connection', body: { isEnabled: true } },
  ],
};
bot.update = bot.create;

const NOTHING_OF_TOKEN = { scopes: 'all', ...NEVER };

const token: Noun = {
  name: 'token',
  about: 'the access tokens of a bot',
  parent: 'bot',
  columns: [
    text('id'),
    named,
    { title: 'ends in', of: ({ lastFour }) => valueOf(lastFour) },
    expires,
    free('scopes', ({ scopes }) => scopes ?? NOTHING_OF_TOKEN.scopes),
    lastUsed,
  ],
  nothing: NOTHING_OF_TOKEN,
  create: [
    { flags: '--name <name>', about: 'what it is for', field: 'name' },
    expiresAt,
    {
      flags: '--scopes <scopes>',
      about: `what it may do, separated by commas: ${SCOPES.join(', ')}; default: everything`,
      field: 'scopes',
      isList: true,
    },
  ],
  deleting: 'it is refused from then on',
  deleteAliases: ['revoke'],
};

const webhookOptions: Field[] = [
  { flags: '--url <url>', about: 'where the events go', field: 'url', isRequired: true },
  {
    flags: '--events <events>',
    about: `separated by commas: ${EVENT_TYPES.join(', ')}; default: all`,
    field: 'events',
    isList: true,
  },
  {
    flags: '--sender-types <types>',
    about: `the senders whose messages are sent, separated by commas: ${SENDER_TYPES.join(', ')}; default: all`,
    field: 'senderTypes',
    isList: true,
  },
  { flags: '--enabled', about: 'send events to it', field: 'isEnabled', value: true },
  { flags: '--disabled', about: 'stop sending events to it', field: 'isEnabled', value: false },
];

const isSuccessStatus = ({ status: code }: Item) => typeof code === 'number' && code >= 200 && code < 300;

const webhook: Noun = {
  name: 'webhook',
  about: "the URLs that receive an organization's events",
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
      about: 'send a signed test event and print the response; exit code 1 if it failed',
      method: 'post',
      path: '/ping',
      isSuccess: isSuccessStatus,
    },
    {
      verb: 'rotate-secret',
      about: 'create a new secret; the previous one also signs for 24 hours',
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
    { ...free('tags', ({ tags }) => tags), isExtra: true },
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
    { flags: '--tag <tags>', about: 'chats with all of these tags, separated by commas', field: 'tag', isList: true },
    {
      flags: '--attribute <filters>',
      about: 'chats with all of these attributes, separated by commas: attr.plan=gold,verified.tier=1',
      field: 'attributes',
      isPairs: true,
    },
  ],
  create: [
    { flags: '--visitor-name <name>', about: 'the name of the new visitor', field: 'visitor.name' },
    { flags: '--visitor-email <email>', about: 'the email address of the new visitor', field: 'visitor.email' },
    { flags: '--group <id>', about: 'the group whose queue it joins; default: the default group', field: 'groupId' },
  ],
  update: [status, attributes],
  actions: [
    { verb: 'close', about: 'close it', method: 'patch', path: '', body: { status: 'CLOSED' } },
    { verb: 'archive', about: 'archive it', method: 'patch', path: '', body: { status: 'ARCHIVED' } },
    { verb: 'reopen', about: 'reopen it', method: 'patch', path: '', body: { status: 'ACTIVE' } },
  ],
};

const visitor: Noun = {
  name: 'visitor',
  about: "the people who chat on an organization's sites",
  columns: [
    text('id'),
    free('name', ({ name: of }) => of),
    free('email', ({ email }) => email),
    free('external id', ({ externalId }) => externalId),
    created,
  ],
  filters: [
    {
      flags: '--search <text>',
      about: 'visitors whose email, name, or external id begins with this text',
      field: 'search',
    },
    { flags: '--email <email>', about: 'the email address', field: 'email' },
    { flags: '--external-id <id>', about: 'the `sub` of their signed identity', field: 'externalId' },
  ],
  update: [attributes],
  deleting: 'with all that was said in their chats, by either side; nothing brings it back',
  deleteAliases: ['erase'],
  isExported: true,
};

const delivery: Noun = {
  name: 'delivery',
  about: 'events that were sent to a webhook, or wait to be sent',
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
  tag,
  attributeKey,
  delivery,
  health,
  audit,
  ...INSTALLATION_NOUNS,
];
