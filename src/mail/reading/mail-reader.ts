import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { receivedMailOf } from './assembling.js';
import type { ParsedMail, UnreadableReason } from './parsed-mail.js';
import { MAX_MAIL_BYTES, type ReceivedMail } from './received-mail.js';
import { MailThread } from './mail-thread.js';

/** What a mail may cost: milliseconds, and MB of the thread's memory. */
export interface ReadingLimits {
  timeoutMs: number;
  memoryMb: number;
}

const LIMITS: ReadingLimits = { timeoutMs: 10_000, memoryMb: 256 };

/** The only error that reading a mail can end with, besides the end of the service. */
export class UnreadableMail extends Error {
  constructor(readonly reason: UnreadableReason) {
    super(`The mail can't be read: ${reason}`);
  }
}

/** Reads mails in a thread of its own, one after the other, so that a costly one doesn't block requests. */
@Injectable()
export class MailReader implements OnModuleDestroy {
  private readonly inTurn = pLimit(1);
  private thread: MailThread | null = null;
  private limits = LIMITS;

  /** A reader with limits other than 10 s and 256 MB, for tests. */
  static within(limits: ReadingLimits): MailReader {
    const reader = new MailReader();
    reader.limits = limits;
    return reader;
  }

  /**
   * Takes at most 10 s, plus the time of the mails that were waiting before.
   * @throws UnreadableMail
   */
  async read(source: Buffer): Promise<ReceivedMail> {
    if (source.length > MAX_MAIL_BYTES) throw new UnreadableMail('too_large');
    return receivedMailOf(await this.inTurn(() => this.parse(source)));
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.end();
  }

  private async parse(source: Buffer): Promise<ParsedMail> {
    if (!this.thread?.isUsable) this.thread = new MailThread(this.limits.memoryMb);
    const answer = await this.thread.parse(source, this.limits.timeoutMs);
    if ('mail' in answer) return answer.mail;
    throw new UnreadableMail(answer.reason);
  }
}
