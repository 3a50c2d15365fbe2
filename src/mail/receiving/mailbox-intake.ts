import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseAway, isUnavailable } from '../../platform/database/database-problem.js';
import { Problem } from '../../platform/errors/problem.js';
import { MailMetrics } from '../sending/mail-metrics.js';
import type { Imap, MailInBox } from './imap.js';
import { MAX_MAIL_BYTES } from '../reading/received-mail.js';
import type { InboundResult } from './inbound-mail.js';
import { InboundMails } from './inbound-mails.service.js';
import { MailboxLease } from './mailbox-lease.js';
import type { MailboxPosition } from './mailbox.queries.js';
import { Surroundings } from './surroundings.js';

/** Tries of a mail that can't be stored, though the database works. Then it's skipped, so that the others arrive. */
const MAX_TRIES = 6;
/** Failures of a mail that look like an outage, until it's tested whether there's one. */
const MAX_OUTAGES = 6;
/** The longest pause between two tries, in ms. Each one is twice as long as the one before. */
const MAX_PAUSE_MS = 30_000;

/** Passes the mails of a mailbox to `InboundMails`, one after the other, and records the position after each. */
@Injectable()
export class MailboxIntake {
  /** Milliseconds before the second try. Tests shorten it. */
  pauseMs = 1_000;
  private readonly logger = new Logger('Mailbox');
  /** Failures in a row that aren't due to a mail: something that all mails need is unavailable. */
  private outages = 0;
  /** The mail whose failures looked like an outage, while everything else worked. */
  private odd: number | null = null;

  constructor(
    private readonly lease: MailboxLease,
    private readonly mails: InboundMails,
    private readonly metrics: MailMetrics,
    private readonly surroundings: Surroundings,
  ) {}

  /**
   * Reads the mails that arrived after a position, and moves the position.
   * @returns the milliseconds before a mail should be tried again; 0 after the last mail
   * @throws Error if the connection was lost, or another node reads the mailbox
   */
  async readNew(imap: Imap, position: MailboxPosition, signal: AbortSignal): Promise<number> {
    for (const mail of await imap.listAfter(position.lastUid)) {
      if (signal.aborted) return 0;
      imap.requireUsable();
      try {
        const result = await this.receive(imap, mail);
        if (result !== null) await this.markSeen(imap, mail);
        this.metrics.onReceived(result?.status ?? 'ignored');
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        const retryIn = await this.onFailure(error, mail.uid, position);
        if (retryIn > 0) return retryIn;
        this.metrics.onReceived('failed');
      }
      this.outages = 0;
      Object.assign(position, { lastUid: mail.uid, failures: 0 });
      await this.lease.note(position);
    }
    return 0;
  }

  // The answer is null for mail that isn't ours, or was deleted since it was listed.
  private async receive(imap: Imap, { uid, size }: MailInBox): Promise<InboundResult | null> {
    const source = size > MAX_MAIL_BYTES ? null : await imap.findSource(uid).catch(asRefusal);
    const isTooLong = size > MAX_MAIL_BYTES || (source !== null && source.length > MAX_MAIL_BYTES);
    if (isTooLong) {
      const head = await imap.getHead(uid).catch(asRefusal);
      return await unlessFailed(this.mails.refuseTooLong(head));
    }
    return source === null ? null : await unlessFailed(this.mails.receive(source, { isLenient: uid === this.odd }));
  }

  private async markSeen(imap: Imap, { uid }: MailInBox): Promise<void> {
    if (!(await imap.markSeen(uid))) this.logger.warn({ uid }, 'the mail server does not mark a mail as read');
  }

  /** Returns the milliseconds before the mail should be tried again; 0: it's skipped. */
  private async onFailure(
    { cause: err, isOutage }: MailFailure,
    uid: number,
    position: MailboxPosition,
  ): Promise<number> {
    if (isOutage) {
      if (this.outages++ === 0) this.logger.warn({ err, uid }, 'failed to store a mail; it is tried again');
      const isOdd = this.outages >= MAX_OUTAGES && (await this.surroundings.work(err, position));
      this.odd = isOdd ? uid : null;
      if (!isOdd) return this.pauseAfter(this.outages);
    }
    position.failures++;
    if (position.failures >= MAX_TRIES) {
      this.logger.error({ err, uid }, 'a mail cannot be stored; it is skipped, and stays unread');
      return 0;
    }
    this.logger.warn({ err, uid, tries: position.failures }, 'failed to store a mail; it is tried again');
    // Recorded, so that a node that takes over continues the count.
    await this.lease.note(position);
    return this.pauseAfter(Math.max(position.failures, this.outages));
  }

  private pauseAfter(failures: number): number {
    return Math.min(this.pauseMs * 2 ** (failures - 1), MAX_PAUSE_MS);
  }
}

/** A mail that couldn't be read or stored. */
class MailFailure extends Error {
  constructor(
    override readonly cause: unknown,
    /** Whether something that all mails need is unavailable. */
    readonly isOutage: boolean,
  ) {
    super('failed to store a mail');
  }
}

/** What became of a mail. @throws MailFailure */
async function unlessFailed(work: Promise<InboundResult | null>): Promise<InboundResult | null> {
  try {
    return await work;
  } catch (error) {
    throw new MailFailure(error, isOutage(error));
  }
}

function isOutage(error: unknown): boolean {
  return isUnavailable(error) || isDatabaseAway(error) || (error instanceof Problem && error.status >= 500);
}

/**
 * @throws MailFailure if the server doesn't return this mail. One that ends the connection instead may do so each time, so it counts too.
 * A server that asks for a pause hasn't refused the mail
 */
function asRefusal(error: unknown): never {
  const isThrottled = (error as { code?: string }).code === 'ETHROTTLE';
  throw isThrottled ? error : new MailFailure(error, false);
}
