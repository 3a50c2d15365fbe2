import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { type Mailbox, parseMailbox, splitAddress } from '../../platform/config/mail-variables.js';
import { Problem } from '../../platform/errors/problem.js';

/** How this installation sends mail. */
@Injectable()
export class MailSetup {
  readonly from: Mailbox | null;
  private readonly reply: { local: string; domain: string };

  constructor(private readonly config: Config) {
    const { MAIL_FROM, MAIL_REPLY_ADDRESS } = config;
    this.from = MAIL_FROM === undefined ? null : parseMailbox(MAIL_FROM);
    this.reply = splitAddress(MAIL_REPLY_ADDRESS ?? this.from?.address ?? '@');
  }

  /** Whether mail can be sent. */
  get isOn(): boolean {
    return this.config.sendsMail;
  }

  /** @throws Problem mail_off */
  requireOn(): void {
    if (!this.isOn) throw new Problem('mail_off', 'Mail is off: SMTP_URL, MAIL_FROM, or PUBLIC_URL is not set');
  }

  /** Whether links in mails use TLS, which unsubscribing with one click needs. */
  get isSecure(): boolean {
    return this.config.PUBLIC_URL?.toLowerCase().startsWith('https:') ?? false;
  }

  /** The address of a page or route. @param path begins with a slash */
  urlOf(path: string): string {
    return (this.config.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, '') + path;
  }

  messageId(token: string): string {
    return `<mail.${token}@${this.reply.domain}>`;
  }

  replyTo(token: string): string {
    return `${this.reply.local}+${token}@${this.reply.domain}`;
  }

  envelopeSender(token: string): string {
    return this.config.MAIL_SENDER ?? `${this.reply.local}+b-${token}@${this.reply.domain}`;
  }
}
