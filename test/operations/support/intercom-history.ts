const AT = 1_740_823_200;
const ZOE = { type: 'user', id: '5ba682d23d7cf92bef87bfd4', name: 'Zoë', email: 'zoe@example.com' };
const ADA = { type: 'admin', id: '3', name: 'Ada', email: 'ada@acme.example' };
const OPERATOR = { type: 'admin', id: '274', name: 'Operator', email: 'operator+abcd1234@intercom.io' };
const PICTURE = 'https://downloads.intercomcdn.com/i/o/1/screen.png?expires=1&signature=ab';

let parts = 0;
const part = (part_type: string, author: object | null, body: string | null, more: object = {}) => ({
  type: 'conversation_part',
  id: String(900 + ++parts),
  part_type,
  body,
  created_at: AT + parts,
  updated_at: AT + parts,
  notified_at: AT + parts,
  assigned_to: null,
  author,
  attachments: [],
  external_id: null,
  redacted: false,
  ...more,
});

const conversation = (id: string | number, source: object, contacts: object[], list: object[], more: object = {}) => ({
  type: 'conversation',
  id,
  created_at: AT + Number(id),
  updated_at: AT,
  title: null,
  state: 'closed',
  open: false,
  read: true,
  waiting_since: null,
  snoozed_until: null,
  admin_assignee_id: 3,
  team_assignee_id: '',
  source: {
    type: 'conversation',
    id: '1',
    delivered_as: 'customer_initiated',
    subject: '',
    attachments: [],
    url: null,
    redacted: false,
    ...source,
  },
  contacts: { type: 'contact.list', contacts },
  teammates: { type: 'admin.list', admins: [ADA] },
  tags: { type: 'tag.list', tags: [] },
  conversation_rating: null,
  statistics: { type: 'conversation_statistics', count_reopens: 0 },
  conversation_parts: { type: 'conversation_part.list', conversation_parts: list, total_count: list.length },
  ...more,
});

const PARTS = () => [
  part('comment', ZOE, `<p>Look:</p>\n<div class="intercom-container"><img src="${PICTURE}"></div>`),
  part('quick_reply', ZOE, '<p>Yes, please</p>'),
  part('comment', OPERATOR, '<p>The team is back <b>tomorrow</b></p>'),
  part('assignment', { type: 'bot', id: '8', name: 'Fin', email: null }, null, {
    assigned_to: { type: 'admin', id: '3' },
  }),
  part('note_and_reopen', ADA, '<p>she is a regular</p>'),
  part('comment', ADA, '<p>This message was deleted</p>', { redacted: true }),
  part('close', ADA, '<p>Done, bye!</p>', {
    attachments: [
      {
        type: 'upload',
        name: 'label.pdf',
        url: 'https://downloads.intercomcdn.com/label.pdf',
        content_type: 'application/pdf',
        filesize: 9,
      },
    ],
  }),
  part('conversation_rating_changed', ZOE, null),
  part('comment', null, 'Removed to comply with terms'),
];

/** Files of a folder: conversations, two pages of contacts, admins, and tags, as Intercom's API answers them. */
export function busyIntercom(): Record<string, object> {
  const silent = { type: 'contact', id: 'c2', external_id: null };
  const hello = { body: '<p class="no-margin">Hi &amp; hello</p>', author: ZOE };
  const welcome = { body: '<p>Welcome!</p>', author: ADA, delivered_as: 'admin_initiated' };
  const late = { type: 'twitter', body: '<p>late</p>', author: { type: 'lead', id: 'gone', name: null, email: null } };
  const first = [{ type: 'contact', id: ZOE.id, external_id: 'customer-9' }];
  const tags = { tags: { type: 'tag.list', tags: [{ type: 'tag', id: '7', name: 'late', applied_at: AT }] } };
  const contact = { type: 'contact', workspace_id: 'ab', role: 'user', phone: null, external_id: null };
  const page = (number: number, ...data: object[]) => ({
    type: 'list',
    data,
    total_count: 2,
    pages: { type: 'pages', page: number, per_page: 1, total_pages: 2 },
  });
  const long = [part('comment', null, '<p>the last one</p>')];
  return {
    '500.json': conversation('500', hello, first, PARTS(), tags),
    '501.json': conversation(501, welcome, [silent], []),
    '502.json': conversation('502', late, [], long, {
      conversation_parts: { type: 'conversation_part.list', conversation_parts: long, total_count: 512 },
    }),
    'admins.json': { type: 'admin.list', admins: [ADA, OPERATOR] },
    'contacts-1.json': page(1, {
      ...contact,
      id: ZOE.id,
      name: 'Zoë',
      email: 'zoe@example.com',
      phone: '+353871234567',
    }),
    'contacts-2.json': page(2, { ...contact, id: 'c2', role: 'lead', name: 'Silent Lead', email: 'lead@example.com' }),
    'tags.json': { type: 'list', data: [{ type: 'tag', id: '7', name: 'late' }] },
  };
}

/** What an import makes of it, by the conversation's id. */
export const INTERCOM_TEXTS = {
  500: [
    'VISITOR –: Hi & hello',
    `VISITOR –: Look:\n\n[file: screen.png, ${PICTURE}]`,
    'VISITOR –: Yes, please',
    'BOT Operator: The team is back tomorrow',
    'NOTE Ada: she is a regular',
    'AGENT Ada: Done, bye!\n[file: label.pdf, https://downloads.intercomcdn.com/label.pdf]',
    'BOT –: Removed to comply with terms',
  ],
  501: ['AGENT Ada: Welcome!'],
  502: ['VISITOR –: late', 'BOT –: the last one'],
};
