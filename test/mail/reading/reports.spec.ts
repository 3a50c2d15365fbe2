import { describe, expect, it } from '@jest/globals';
import { mailWith, multipart, openReader, part } from './support/read.js';

const read = openReader();
const ID = '<mail.abcdefghijklmnopqrstuvwxyz@acme.example>';
const FIRST = '<mail.zyxwvutsrqponmlkjihgfedcba@acme.example>';

/** The header of our mail, as servers return it. */
const OURS = [
  'Received: from parley (localhost [127.0.0.1]) by mail.acme.example (Postfix)',
  'From: Acme <support@acme.example>',
  'Reply-To: support+abcdefghijklmnopqrstuvwxyz@acme.example',
  'To: ada@example.com',
  'Subject: Your chat with Acme',
  `Message-ID: ${ID}`,
  `In-Reply-To: ${FIRST}`,
  `References: ${FIRST}`,
];
const returned = part(['Content-Type: message/rfc822'], `${OURS.join('\n')}\n\nHello`);
const returnedHeaders = part(['Content-Type: text/rfc822-headers'], OURS.join('\n'));
const notice = (text: string) => part(['Content-Type: text/plain; charset=us-ascii'], text);
const status = (lines: readonly string[]) => part(['Content-Type: message/delivery-status'], lines.join('\n'));

function dsn(headers: readonly string[], parts: readonly string[]): string {
  return multipart('report; report-type=delivery-status', parts, headers);
}

const POSTFIX = dsn(
  [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.acme.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: support+b-abcdefghijklmnopqrstuvwxyz@acme.example',
    'Auto-Submitted: auto-replied',
  ],
  [
    notice(
      "This is the mail system at host mx.acme.example.\n\nI'm sorry to have to inform you that your message could not\nbe delivered.",
    ),
    status([
      'Reporting-MTA: dns; mx.acme.example',
      'X-Postfix-Queue-ID: 4R2xQz0Y3Fz9',
      'Arrival-Date: Tue,  3 Nov 2026 10:12:00 +0100 (CET)',
      '',
      'Final-Recipient: rfc822; Ada@Example.com',
      'Original-Recipient: rfc822;Ada@Example.com',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mx.example.com',
      'Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected:',
      '    User unknown in virtual mailbox table',
    ]),
    returned,
  ],
);

const EXCHANGE = dsn(
  [
    'From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com>',
    'Subject: Undeliverable: Your chat with Acme',
    'Auto-Submitted: auto-replied',
    `In-Reply-To: ${ID}`,
    `References: ${ID}`,
  ],
  [
    multipart('alternative', [
      notice('Delivery has failed to these recipients or groups'),
      part(['Content-Type: text/html'], '<p>Failed'),
    ]),
    status([
      'Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.com',
      'Received-From-MTA: dns;mail.acme.example',
      '',
      'Final-Recipient: rfc822;ada@example.com',
      'Action: failed',
      'Status: 5.7.1',
      'Diagnostic-Code: smtp;550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized',
      'X-Display-Name: Ada',
    ]),
    part(['Content-Type: message/rfc822'], 'Received: from a by b\n\nHello'),
  ],
);

const GMAIL = dsn(
  [
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    'Auto-Submitted: auto-replied',
    'Subject: Delivery Status Notification (Delay)',
    `References: ${ID}`,
    `In-Reply-To: ${ID}`,
    'X-Failed-Recipients: ada@example.com',
  ],
  [
    multipart('related', [
      multipart('alternative', [
        notice('** Delivery incomplete **'),
        part(['Content-Type: text/html'], '<p>Delivery incomplete'),
      ]),
      part(
        ['Content-Type: image/png; name="icon.png"', 'Content-ID: <icon.png>', 'Content-Transfer-Encoding: base64'],
        'iVBORw0KGgo=',
      ),
    ]),
    status([
      'Reporting-MTA: dns; googlemail.com',
      'Arrival-Date: Tue, 03 Nov 2026 02:12:00 -0800 (PST)',
      `X-Original-Message-ID: ${ID}`,
      '',
      'Final-Recipient: rfc822; ada@example.com',
      'Action: delayed',
      'Status: 4.4.1',
      'Diagnostic-Code: smtp; The recipient server did not accept our requests to connect.',
      'Will-Retry-Until: Fri, 06 Nov 2026 02:12:00 -0800 (PST)',
    ]),
    returned,
  ],
);

const SES = dsn(
  ['Return-Path: <>', 'From: MAILER-DAEMON@amazonses.com', 'Subject: Delivery Status Notification (Failure)'],
  [
    notice('An error occurred while trying to deliver the mail to the following recipients:\nada@example.com'),
    status([
      'Reporting-MTA: dns; a8-31.smtp-out.amazonses.com',
      '',
      'Action: failed',
      'Final-Recipient: rfc822; ada@example.com',
      'Diagnostic-Code: smtp; 552 5.2.2 The email account that you tried to reach is over quota',
      'Status: 5.2.2',
      '',
    ]),
    returnedHeaders,
  ],
);

const SEVERAL = dsn(
  ['From: postmaster@example.com'],
  [
    notice('See below'),
    status([
      'Reporting-MTA: dns; mx.example.com',
      '',
      'Final-Recipient: rfc822; bob@example.com',
      'Action: delivered',
      'Status: 2.0.0',
      '',
      'Final-Recipient: rfc822; <ada@example.com>',
      'Action: Failed (a comment)',
      'Status: 5.0.0',
      'Diagnostic-Code: smtp; 550 #5.1.10 no such user',
    ]),
    returned,
  ],
);

const DELIVERED = dsn(
  ['Return-Path: <>', 'From: postmaster@example.com'],
  [
    notice('Delivered'),
    status([
      'Reporting-MTA: dns; a',
      '',
      'Final-Recipient: rfc822; ada@example.com',
      'Action: relayed',
      'Status: 2.0.0',
    ]),
    returned,
  ],
);

const EXIM = mailWith(
  [
    'Return-Path: <>',
    'X-Failed-Recipients: ada@example.com',
    'Auto-Submitted: auto-replied',
    'From: Mail Delivery System <Mailer-Daemon@mail.acme.example>',
    'To: support@acme.example',
    'Subject: Mail delivery failed: returning message to sender',
  ],
  [
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    '  ada@example.com',
    '    host mx.example.com [192.0.2.5]',
    '    SMTP error from remote mail server after RCPT TO:<ada@example.com>:',
    '    550-5.1.1 No such user',
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    ...OURS,
    '',
    'Hello',
  ].join('\n'),
);

const EXIM_DELAYED = mailWith(
  [
    'Return-Path: <>',
    'Auto-Submitted: auto-replied',
    'From: Mail Delivery System <Mailer-Daemon@mail.acme.example>',
    'Subject: Warning: message 1kZx0R-0003Zy-8L delayed 24 hours',
  ],
  [
    'This message was created automatically by mail delivery software.',
    'A message that you sent has not yet been delivered to one or more of its',
    'recipients after more than 24 hours on the queue on mail.acme.example.',
    '',
    'The message identifier is:     1kZx0R-0003Zy-8L',
    '',
    'The address to which the message has not yet been delivered is:',
    '  <ada@example.com>',
    '    host mx.example.com [4.4.1.2]: Connection timed out',
  ].join('\n'),
);

const QMAIL = mailWith(
  ['Return-Path: <>', 'From: MAILER-DAEMON@mail.acme.example', 'Subject: failure notice'],
  [
    'Hi. This is the qmail-send program at mail.acme.example.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    "This is a permanent error; I've given up. Sorry it didn't work out.",
    '',
    '<Ada@example.com>:',
    'Sorry, no mailbox here by that name. (#5.1.1)',
    '',
    '--- Below this line is a copy of the message.',
    '',
    'Return-Path: <support+b-abcdefghijklmnopqrstuvwxyz@acme.example>',
    ...OURS,
    '',
    'Hello',
  ].join('\n'),
);

function feedback(lines: readonly string[]): string {
  return multipart(
    'report; report-type=feedback-report',
    [
      notice('This is an email abuse report'),
      part(['Content-Type: message/feedback-report'], lines.join('\n')),
      returned,
    ],
    ['From: <abusedesk@example.com>', 'Subject: FW: Your chat with Acme'],
  );
}
const ABUSE = [
  'Feedback-Type: abuse',
  'User-Agent: SomeGenerator/1.0',
  'Version: 1',
  'Original-Mail-From: <b@acme.example>',
];

describe('bounces', () => {
  it.each<[string, string, object]>([
    ['Postfix', POSTFIX, { action: 'failed', status: '5.1.1', isPermanent: true, messageIds: [ID, FIRST] }],
    ['Exchange', EXCHANGE, { action: 'failed', status: '5.7.1', isPermanent: false, messageIds: [ID] }],
    ['Gmail', GMAIL, { action: 'delayed', status: '4.4.1', isPermanent: false, messageIds: [ID, FIRST] }],
    ['Amazon SES', SES, { action: 'failed', status: '5.2.2', isPermanent: false, messageIds: [ID, FIRST] }],
    ['several recipients', SEVERAL, { action: 'failed', status: '5.1.10', isPermanent: true, messageIds: [ID, FIRST] }],
  ])('%s writes RFC 3464', async (_name, source, expected) => {
    expect((await read(source)).report).toEqual({
      type: 'bounce',
      isStandard: true,
      recipient: 'ada@example.com',
      ...expected,
    });
  });

  it.each<[string, string, object]>([
    ['Exim', EXIM, { action: 'failed', status: '5.1.1', isPermanent: true, messageIds: [ID, FIRST] }],
    ['Exim, delayed', EXIM_DELAYED, { action: 'delayed', status: null, isPermanent: false, messageIds: [] }],
    ['qmail', QMAIL, { action: 'failed', status: '5.1.1', isPermanent: true, messageIds: [ID, FIRST] }],
  ])('%s has a form of its own', async (_name, source, expected) => {
    expect((await read(source)).report).toEqual({
      type: 'bounce',
      isStandard: false,
      recipient: 'ada@example.com',
      ...expected,
    });
  });

  it('a returned mail is no file of the chat', async () => {
    expect((await read(POSTFIX)).files).toEqual([]);
  });

  it.each([
    ['a mail that was delivered', DELIVERED],
    [
      'an out-of-office note',
      mailWith(['Return-Path: <>', 'From: ada@example.com', 'Auto-Submitted: auto-replied'], '550 5.1.1 Hi'),
    ],
    ['a person who writes as postmaster', mailWith(['From: postmaster@example.com'], 'Our server says 550 5.1.1')],
  ])('%s is no bounce', async (_name, source) => {
    expect((await read(source)).report).toBeNull();
  });
});

describe('complaints', () => {
  it('a complaint names the mail', async () => {
    const report = await read(feedback([...ABUSE, 'Original-Rcpt-To: <Ada@example.com>']));
    expect(report.report).toEqual({ type: 'complaint', recipient: 'ada@example.com', messageIds: [ID, FIRST] });
  });

  it('a complaint may conceal the recipient', async () => {
    expect((await read(feedback(ABUSE))).report).toMatchObject({ type: 'complaint', recipient: null });
  });

  it('a mail that was moved out of the spam folder is no complaint', async () => {
    expect((await read(feedback(['Feedback-Type: not-spam', 'Version: 1']))).report).toBeNull();
  });
});
