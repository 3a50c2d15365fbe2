import type { ImapFlow } from 'imapflow';
import type { MailUrl } from '../../platform/config/mail-url.js';
import { printable } from '../../platform/lib/printable.js';
import { describeError } from '../../platform/outbound/outbound-error.js';
import { MAX_MAIL_BYTES } from '../reading/received-mail.js';

/** Milliseconds for connecting, and for the server's greeting. */
const CONNECT_MS = 30_000;
/** Milliseconds that the goodbye may take. */
const LOGOUT_MS = 2_000;
/** The bytes that are read of a mail that's too long, to find out whether it answers one of ours. */
const MAX_HEAD_BYTES = 65_536;
const MAX_ERROR = 300;

/** A mail in the mailbox. */
export interface MailInBox {
  uid: number;
  /** In bytes, as the server says. */
  size: number;
}

/** How to sign in. */
export type ImapAuth = { user: string; pass: string } | { user: string; accessToken: string };

/** Whether the server refused the user, the password, or the token. */
export function isSignInRefused(error: unknown): boolean {
  return (error as { authenticationFailed?: boolean }).authenticationFailed === true;
}

/** Describes why the mailbox can't be read, without the password. */
export function describeImapError(error: unknown): string {
  const { responseText, response, code } = error as { responseText?: string; response?: unknown; code?: string };
  const said = responseText ?? (typeof response === 'string' ? response : undefined);
  if (said) return printable(`the server says: ${said}`.slice(0, MAX_ERROR));
  if (code && !/^[A-Z][a-z]/.test(code)) {
    const described = describeError(error);
    if (!described.startsWith('failed')) return described;
  }
  return printable((error as Error).message.slice(0, MAX_ERROR));
}

/** A connection to the folder INBOX, signed in. It's used by one caller, one call at a time. */
export class Imap {
  /** Resolves the current wait. */
  private wake: () => void = () => undefined;
  /** Whether mail may have arrived since the last wait. */
  private hasNews = false;

  private constructor(private readonly client: ImapFlow) {
    client.on('exists', () => this.notify());
    client.on('close', () => this.wake());
  }

  /**
   * @param silence milliseconds without a byte until the server is asked whether it still answers, and then until the connection is closed
   * @throws Error that `describeImapError` describes
   */
  static async open(url: MailUrl, auth: ImapAuth, silence = 60_000): Promise<Imap> {
    // Most installations read no mailbox, so the client isn't loaded at the start.
    const { ImapFlow } = await import('imapflow');
    const { host, port, isImplicitTls, isLocal } = url;
    const client = new ImapFlow({
      host,
      port,
      auth,
      secure: isImplicitTls,
      // A local server may have no certificate.
      ...(isLocal ? { doSTARTTLS: false, tls: { rejectUnauthorized: false } } : !isImplicitTls && { doSTARTTLS: true }),
      // Its log would have names and addresses.
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: silence,
      maxLockHoldTime: 0,
      maxLiteralSize: 2 * MAX_MAIL_BYTES,
    });
    // The call that is running fails too, so the event says nothing new.
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Held until the end: while nothing happens, the client asks whether the server still answers, with and without IDLE.
      await client.getMailboxLock('INBOX');
    } catch (error) {
      client.close();
      throw error;
    }
    return new Imap(client);
  }

  /** Whether the server announces new mail by itself. */
  get hasIdle(): boolean {
    return this.client.capabilities.has('IDLE');
  }

  /** The folder's UIDVALIDITY. If it changes, the same UIDs name other mails. */
  get uidValidity(): number {
    return Number(this.opened.uidValidity);
  }

  /** The UID of the newest mail; 0 if there's none. */
  async findLastUid(): Promise<number> {
    const { uidNext } = this.opened;
    if (uidNext) return uidNext - 1;
    const last = await this.client.fetchOne('*', { uid: true });
    return last ? last.uid : 0;
  }

  /** The UID of the oldest unread mail since a time, to the day; null if there's none. */
  async findUnreadSince(since: Date): Promise<number | null> {
    const uids = (await this.client.search({ seen: false, since }, { uid: true })) || [];
    return uids.length > 0 ? Math.min(...uids) : null;
  }

  /** The mails after a UID, in their order. */
  async listAfter(uid: number): Promise<MailInBox[]> {
    const range = `${uid + 1}:*`;
    const found: { uid: number; size?: number }[] = await this.client
      .fetchAll(range, { uid: true, size: true }, { uid: true })
      .catch(async (error: unknown) => {
        // A server may refuse the sizes of all mails because of one that it can't read. That one fails again when it's read.
        if ((error as { responseStatus?: string }).responseStatus === undefined) throw error;
        return ((await this.client.search({ uid: range }, { uid: true })) || []).map((one) => ({ uid: one }));
      });
    // The range's end is the newest mail, even when its UID is below the range.
    const mails = found.map((mail) => ({ uid: mail.uid, size: mail.size ?? 0 }));
    return mails.filter((mail) => mail.uid > uid).toSorted((a, b) => a.uid - b.uid);
  }

  /** The mail's source, at most one byte longer than MAX_MAIL_BYTES, without marking the mail as read; null if it was deleted. */
  async findSource(uid: number): Promise<Buffer | null> {
    const mail = await this.client.fetchOne(
      `${uid}`,
      { uid: true, source: { start: 0, maxLength: MAX_MAIL_BYTES + 1 } },
      { uid: true },
    );
    return (mail && mail.source) || null;
  }

  /** The beginning of a mail: up to 64 KiB; empty if it was deleted. */
  async getHead(uid: number): Promise<Buffer> {
    const source = { start: 0, maxLength: MAX_HEAD_BYTES };
    const mail = await this.client.fetchOne(`${uid}`, { uid: true, source }, { uid: true });
    return mail && mail.source ? mail.source : Buffer.alloc(0);
  }

  /** Marks a mail as read. Returns false if the server refuses. */
  markSeen(uid: number): Promise<boolean> {
    return this.client.messageFlagsAdd(`${uid}`, ['\\Seen'], { uid: true });
  }

  /**
   * Waits until mail may have arrived, `notify` is called, or this time has passed.
   * @param milliseconds how long at most
   * @throws Error if the connection was lost
   */
  async wait(milliseconds: number): Promise<void> {
    this.requireUsable();
    if (!this.hasNews) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const timer = setTimeout(this.wake, milliseconds);
      // The next command ends it. If the server ends it earlier, mail may have arrived.
      if (this.hasIdle) void this.client.idle().then(this.wake, this.wake);
      await woken;
      clearTimeout(timer);
    }
    this.hasNews = false;
    // Servers without IDLE report new mail with this answer.
    await this.client.noop();
    this.requireUsable();
  }

  /** Ends the current wait, or the next one. */
  notify(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Ends the connection without a goodbye. What runs on it fails. */
  drop(): void {
    this.client.close();
  }

  /** Says goodbye, and ends the connection. Never throws. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.client.close(), LOGOUT_MS);
    await this.client.logout().catch(() => undefined);
    clearTimeout(timer);
    this.client.close();
  }

  /** @throws Error if the connection was lost */
  requireUsable(): void {
    if (!this.client.usable) throw new Error('the connection was closed');
  }

  private get opened() {
    const { mailbox } = this.client;
    if (!mailbox) throw new Error('the connection was closed');
    return mailbox;
  }
}
