import { MailboxIntake } from '../../../src/mail/receiving/mailbox-intake.js';
import { MailboxService } from '../../../src/mail/receiving/mailbox.service.js';
import { Parley } from '../../support/parley.js';
import { Scrape } from '../../support/scrape.js';
import type { Dovecot } from './dovecot.js';

/** The environment of a service that reads this server's mailbox. It sends no mail. */
export function environmentOf({ url }: Pick<Dovecot, 'url'>): NodeJS.ProcessEnv {
  return {
    SMTP_URL: 'smtp://127.0.0.1:9',
    IMAP_URL: url,
    MAIL_FROM: 'support@parley.example',
    MAIL_AUTHSERV_ID: 'mx.parley.example',
    PUBLIC_URL: 'https://chat.example.com',
  };
}

/** A service that reads this server's mailbox, with short pauses. */
export async function startReader(
  server: Pick<Dovecot, 'url'>,
  databaseUrl?: string,
  environment = environmentOf(server),
): Promise<Parley> {
  const node = await Parley.start(environment, databaseUrl);
  Object.assign(node.app.get(MailboxService).times, { standby: 50, poll: 50, pause: 20, maxPause: 200 });
  node.app.get(MailboxIntake).pauseMs = 5;
  return node;
}

/** Whether the node's metric says that it's connected to the mailbox. */
export async function isConnected({ url }: Pick<Parley, 'url'>): Promise<boolean> {
  return (await Scrape.of(url)).value('parley_mail_mailbox_connected') === 1;
}
