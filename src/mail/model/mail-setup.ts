import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { type Mailbox, parseMailbox, splitAddress } from '../../platform/config/mail-variables.js';
import { Problem } from '../../platform/errors/problem.js';
import { withoutTrailingSlashes } from '../../platform/lib/web-url.js';

const RECIPIENT = /^(b-)?([a-z2-7]{26})$/;
const TOKENS = /(?:[+](?:b-)?|<mail[.])([a-z2-7]{26})@([a-z0-9.-]{1,255})/g;
const MESSAGE_ID = /^<mail[.]([a-z2-7]{26})@(.{1,255})>$/;

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

  /** Whether answers to mails arrive. */
  get takesReplies(): boolean {
    return this.config.readsMailbox || this.config.MAIL_INBOUND_TOKEN !== undefined;
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
    return withoutTrailingSlashes(this.config.PUBLIC_URL ?? '') + path;
  }

  /** The tokens of our addresses and Message-IDs in the source of a mail. They may be unknown. */
  tokensIn(source: string): string[] {
    const own = this.reply.domain.toLowerCase();
    const found = [...source.toLowerCase().matchAll(TOKENS)].filter(([, , domain]) => domain === own);
    return [...new Set(found.map(([, token]) => token!))];
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

  /** The token in an address for answers to our mails, or for their bounces. Case doesn't matter. Null for any other address. */
  tokenOf(address: string): { token: string; isBounce: boolean } | null {
    const { local, domain } = splitAddress(address.trim().toLowerCase());
    const begin = `${this.reply.local}+`.toLowerCase();
    if (domain !== this.reply.domain.toLowerCase() || !local.startsWith(begin)) return null;
    const [, bounce, token] = RECIPIENT.exec(local.slice(begin.length)) ?? [];
    return token === undefined ? null : { token, isBounce: bounce !== undefined };
  }

  /** The token in one of our Message-IDs. Case doesn't matter. Null for any other Message-ID. */
  tokenOfMessageId(messageId: string): string | null {
    const [, token, domain] = MESSAGE_ID.exec(messageId.trim().toLowerCase()) ?? [];
    return token !== undefined && domain === this.reply.domain.toLowerCase() ? token : null;
  }

  /** Whether we send mails from this address, or it's one for answers. */
  isOwn(address: string): boolean {
    const plain = [this.from?.address, this.config.MAIL_SENDER, `${this.reply.local}@${this.reply.domain}`];
    return this.tokenOf(address) !== null || plain.some((own) => own?.toLowerCase() === address.toLowerCase());
  }
}
