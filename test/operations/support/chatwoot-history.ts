import { ACTIVITY, type Chatwoot, INCOMING, OUTGOING, TEMPLATE, TYPES, userSays } from './chatwoot.js';

const TODAY = '2025-03-01';
const HTML_MAIL = '<div>See <b>the plan</b></div><img src="https://mail.example/open.gif" width="1" height="1">';
const ITEMS = [
  { title: 'Refund', value: 'refund' },
  { title: 'Something else', value: 'other' },
];
const CHOSEN = { items: ITEMS, submitted_values: [{ title: 'Refund', value: 'refund' }] };
const CARDS = {
  items: [
    {
      media_url: 'https://cw.example/a.png',
      title: 'Plan A',
      description: 'Ten users',
      actions: [{ type: 'link', text: 'Buy', uri: 'https://acme.example/a' }],
    },
  ],
};
const FORM = {
  items: [{ name: 'order', label: 'Order number', type: 'text' }],
  submitted_values: [{ name: 'order', value: 'INV-2026/0815' }],
};
const ARTICLES = {
  items: [{ title: 'Returns', description: 'How to return', link: 'https://acme.example/help/returns' }],
};
const RATING = { submitted_values: { csat_survey_response: { rating: 4, feedback_message: 'quick, thanks' } } };

interface Told {
  at: string;
  row: Record<string, unknown> & { attributes?: Record<string, unknown> };
  file?: string;
  attachment?: Record<string, unknown>;
}

const visitor = { message_type: INCOMING, sender_type: 'Contact', sender_id: 1 };
const captain = { message_type: OUTGOING, sender_type: 'Captain::Assistant', sender_id: 1 };
const bot = { message_type: OUTGOING, sender_type: 'AgentBot', sender_id: 1 };

/** The first conversation, with a message of each kind. */
const FIRST: readonly Told[] = [
  { at: '10:00:01.123456', row: { content: 'Hi 👋', ...visitor } },
  {
    at: '10:00:02',
    row: {
      content: 'Get notified by email',
      message_type: TEMPLATE,
      content_type: TYPES.EMAIL_INPUT,
      attributes: { submitted_email: 'zoe@example.com' },
    },
  },
  { at: '10:00:03', row: { content: 'This message was deleted', ...userSays(1), attributes: { deleted: true } } },
  { at: '10:00:04', row: { content: 'What is it about?', ...bot, content_type: TYPES.SELECT, attributes: CHOSEN } },
  { at: '10:00:05', row: { content: null, ...bot, content_type: TYPES.CARDS, attributes: CARDS } },
  { at: '10:00:06', row: { content: 'Your order, please', ...bot, content_type: TYPES.FORM, attributes: FORM } },
  { at: '10:00:07', row: { content: 'This may help', ...captain, content_type: TYPES.ARTICLE, attributes: ARTICLES } },
  { at: '10:00:08', row: { content: 'Assigned to Ada by automation', message_type: ACTIVITY } },
  { at: '10:00:09', row: { content: 'Angry? [@Ada](mention://user/1/Ada)', private: true, ...userSays(1) } },
  {
    at: '10:00:10',
    row: { content: 'Here is the *label*', ...userSays(1), attributes: { in_reply_to: 1, external_error: null } },
    file: 'Rücksendung (1).pdf',
  },
  {
    at: '10:00:11',
    row: { content: '', ...visitor },
    attachment: { file_type: 4, coordinates_lat: 52.52, coordinates_long: 13.4 },
  },
  { at: '10:00:12', row: { content: null, ...visitor }, attachment: { file_type: 8, fallback_title: '+49 30 901820' } },
  { at: '10:00:13', row: { content: 'Campaign: 20 % off', message_type: OUTGOING, attributes: {} } },
  {
    at: '10:00:14',
    row: {
      content: 'Please rate this conversation',
      message_type: TEMPLATE,
      content_type: TYPES.RATING,
      attributes: RATING,
    },
  },
];

/** What an import makes of the busy account, by the number of the conversation. */
export const BUSY_TEXTS: Readonly<Record<string, string[]>> = {
  1: [
    'VISITOR –: Hi 👋',
    'BOT –: Get notified by email',
    'VISITOR –: zoe@example.com',
    'BOT Helper: What is it about?\n– Refund\n– Something else',
    'VISITOR –: Refund',
    'BOT Helper: – Plan A: Ten users https://acme.example/a',
    'BOT Helper: Your order, please\n– Order number',
    'VISITOR –: order: INV-2026/0815',
    'BOT Captain: This may help\n– Returns: How to return https://acme.example/help/returns',
    'NOTE Ada: Angry? [@Ada](mention://user/1/Ada)',
    'AGENT Ada: Here is the *label*\n[file: Rücksendung (1).pdf]',
    'VISITOR –: [file: 52.52, 13.4]',
    'VISITOR –: [file: +49 30 901820]',
    'BOT –: Campaign: 20 % off',
    'BOT –: Please rate this conversation',
    'VISITOR –: quick, thanks',
  ],
  2: ['VISITOR –: of a contact who was merged', 'AGENT –: by someone who left'],
  3: ['VISITOR –: of a contact who was deleted'],
  4: ['VISITOR –: plain part', 'VISITOR –: See the plan', 'VISITOR –: only HTML, whole'],
  5: ['VISITOR –: snoozed'],
  6: ['VISITOR –: pending', 'NOTE –: from Slack'],
  8: ['VISITOR –: open'],
};

/** Two accounts: one with eight conversations in all states and channels, one of them without messages, and one with a single conversation. */
export async function addBusyAccount(chatwoot: Chatwoot): Promise<void> {
  for (const name of ['Acme', 'Other']) await chatwoot.add('accounts', { name });
  await chatwoot.add('users', { name: 'Ada Lovelace', display_name: 'Ada', email: 'ada@acme.example', tokens: {} });
  await chatwoot.add('account_users', { user_id: 1, role: 1 });
  await chatwoot.add('teams', { name: 'sales' });
  for (const channel_type of ['Channel::WebWidget', 'Channel::Email', 'Channel::Api'])
    await chatwoot.add('inboxes', { name: channel_type, channel_type, channel_id: 1 });
  await chatwoot.add('agent_bots', { name: 'Helper', account_id: null });
  await chatwoot.add('captain_assistants', { name: 'Captain' });
  const attributes = { custom_attributes: { plan: 'pro' }, additional_attributes: { city: 'Berlin' } };
  await chatwoot.add('contacts', {
    name: 'Zoë Müller',
    email: 'zoe@example.com',
    identifier: 'customer-7',
    ...attributes,
  });
  await chatwoot.add('contacts', { name: 'Merged Person', phone_number: '+4930901820' });
  await chatwoot.add('contact_inboxes', { contact_id: 1, source_id: 'b2f1' });
  await chatwoot.add('labels', { title: 'billing' });
  await addFirst(chatwoot);
  await addOthers(chatwoot);
}

async function addFirst(chatwoot: Chatwoot): Promise<void> {
  const id = await converse(chatwoot, 1, { status: 1, team_id: 1, assignee_id: 1, cached_label_list: 'vip' });
  for (const name of ['billing', 'vip']) await chatwoot.label(id, name);
  for (const { at, row, file, attachment } of FIRST) {
    const message = await chatwoot.say(id, at, row);
    if (file !== undefined) await chatwoot.attach(message, file);
    if (attachment) await chatwoot.add('attachments', { message_id: message, ...attachment });
  }
}

const STATUS = { OPEN: 0, RESOLVED: 1, PENDING: 2, SNOOZED: 3 };

async function addOthers(chatwoot: Chatwoot): Promise<void> {
  const merged = await converse(chatwoot, 2, { status: STATUS.RESOLVED, cached_label_list: 'old' });
  await chatwoot.say(merged, '11:00:01', { ...visitor, sender_id: 99, content: 'of a contact who was merged' });
  await chatwoot.say(merged, '11:00:02', { ...userSays(99), content: 'by someone who left' });
  const orphan = await converse(chatwoot, 999, { status: STATUS.OPEN, cached_label_list: '' });
  await chatwoot.say(orphan, '11:00:03', { ...visitor, sender_id: 999, content: 'of a contact who was deleted' });
  await addMails(chatwoot);
  const snoozed = await converse(chatwoot, 1, { status: STATUS.SNOOZED, snoozed_until: '2030-01-01' });
  await chatwoot.say(snoozed, '11:00:05', { ...visitor, content: 'snoozed' });
  const pending = await converse(chatwoot, 1, { status: STATUS.PENDING, inbox_id: 3 });
  await chatwoot.say(pending, '11:00:06', { ...visitor, content: 'pending', inbox_id: 3 });
  await chatwoot.say(pending, '11:00:07', { content: 'from Slack', private: true, message_type: OUTGOING });
  await converse(chatwoot, 1, { status: STATUS.OPEN });
  const open = await converse(chatwoot, 1, { status: STATUS.OPEN });
  await chatwoot.say(open, '11:00:08', { ...visitor, content: 'open' });
  const other = await converse(chatwoot, 2, { account_id: 2 });
  await chatwoot.say(other, '11:00:09', { ...visitor, content: 'of another account', account_id: 2 });
}

async function addMails(chatwoot: Chatwoot): Promise<void> {
  const id = await converse(chatwoot, 1, {
    inbox_id: 2,
    additional_attributes: { source: 'email', mail_subject: 'Plan' },
  });
  const mail = { ...visitor, inbox_id: 2, content_type: TYPES.EMAIL, source_id: '<a@example.com>' };
  const email = (parts: object) => ({
    attributes: { email: { subject: 'Plan', from: ['zoe@example.com'], ...parts } },
  });
  await chatwoot.say(id, '11:00:10', {
    ...mail,
    content: 'plain part',
    ...email({ text_content: { reply: 'plain part' } }),
  });
  await chatwoot.say(id, '11:00:11', { ...mail, content: '', ...email({ html_content: { reply: HTML_MAIL } }) });
  const whole = { text_content: { full: 'only HTML, whole' }, html_content: {} };
  // A release of Chatwoot wrote an object.
  const content_attributes = email(whole).attributes;
  await chatwoot.say(id, '11:00:12', { ...mail, content: null, content_attributes });
}

let minute = 0;
function converse(chatwoot: Chatwoot, contact_id: number, row: Record<string, unknown>): Promise<number> {
  const created_at = `${TODAY} 09:00:${String(minute++ % 60).padStart(2, '0')}`;
  return chatwoot.add('conversations', { contact_id, contact_inbox_id: 1, created_at, ...row });
}

/** The first conversation and the agents, as Chatwoot's API answers. */
export function busyApi(): object[] {
  const senders: Record<string, object> = {
    Contact: { id: 1, name: 'Zoë Müller', email: 'zoe@example.com', type: 'contact', thumbnail: '' },
    User: { id: 1, name: 'Ada Lovelace', available_name: 'Ada', type: 'user', availability_status: 'online' },
    AgentBot: { id: 1, name: 'Helper', type: 'agent_bot' },
    'Captain::Assistant': { id: 1, name: 'Captain', type: 'captain_assistant' },
  };
  const messages = FIRST.map(({ at, row, file, attachment }, index) => {
    const { attributes, sender_type: type, message_type, content, private: isPrivate = false } = row;
    const attachments = [
      ...(file === undefined
        ? []
        : [{ id: 1, file_type: 'file', data_url: `https://cw.example/rails/${encodeURIComponent(file)}` }]),
      ...(attachment ? [{ id: 2, ...attachment, file_type: attachment.file_type === 4 ? 'location' : 'contact' }] : []),
    ];
    return {
      id: index + 1,
      content,
      inbox_id: 1,
      conversation_id: 1,
      message_type,
      content_type: 'text',
      status: 'sent',
      content_attributes: attributes ?? {},
      created_at: Math.floor(Date.parse(`${TODAY}T${at}Z`) / 1000),
      private: isPrivate,
      source_id: null,
      ...(type !== undefined && { sender: senders[type as string] }),
      ...(attachments.length > 0 && { attachments }),
    };
  });
  const created_at = Date.parse(`${TODAY}T09:00:00Z`) / 1000;
  const sender = { ...senders.Contact, phone_number: null, identifier: 'customer-7', custom_attributes: {} };
  const agents = [
    { id: 1, account_id: 1, email: 'ada@acme.example', name: 'Ada Lovelace', role: 'administrator', confirmed: true },
  ];
  const meta = { sender, channel: 'Channel::WebWidget', hmac_verified: false };
  return [
    {
      id: 1,
      account_id: 1,
      uuid: 'u',
      status: 'resolved',
      labels: ['vip'],
      created_at,
      meta,
      messages: messages.toReversed(),
    },
    agents,
  ];
}
