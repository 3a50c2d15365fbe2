import type { Field } from '../noun.js';

/** What an organization says about its e-mails. */
export const MAIL_FIELDS: readonly Field[] = [
  {
    flags: '--mail-from-name <name>',
    about: 'the sender of e-mails; "" for the name of the organization',
    field: 'mail.fromName',
    textOr: '',
  },
  {
    flags: '--missed-after <seconds>',
    about: 'seconds until a visitor gets an e-mail about a missed answer, 60 to 86400; 0 for never; default: 300',
    field: 'mail.missedAfterSeconds',
    isNumber: true,
  },
  {
    flags: '--mail-logo <url>',
    about: 'a picture at the top of e-mails, by https; "" for none',
    field: 'mail.logoUrl',
    textOr: '',
  },
  {
    flags: '--transcript <rule>',
    about: 'NEVER, ON_REQUEST (default), or ALWAYS: also each time a chat ends',
    field: 'mail.transcript',
  },
  {
    flags: '--push-content-on',
    about: "agents' push notifications have the visitor's name and the beginning of the message (default)",
    field: 'mail.pushContent',
    value: true,
  },
  {
    flags: '--push-content-off',
    about: "agents' push notifications say only that something happened",
    field: 'mail.pushContent',
    value: false,
  },
];
