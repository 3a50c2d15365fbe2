import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { POOL } from '../../platform/database/pool.js';
import { newId } from '../../platform/lib/ids.js';
import { foldText } from '../../platform/locale/fold.js';
import { Config } from '../../platform/config/config.js';
import { MailSetup } from '../model/mail-setup.js';
import { MailReader, UnreadableMail } from '../reading/mail-reader.js';
import { hasProof } from '../reading/proof.js';
import type { ReceivedMail } from '../reading/received-mail.js';
import { ownText } from '../reading/reply-text.js';
import { type AnsweredMail, findAnswered, readQuotable } from './answered-mails.queries.js';
import { InboundFiles, type StoredAttachments } from './inbound-files.js';
import type { InboundResult, Refusal } from './inbound-mail.js';
import { countOfMail, countTaken, insertInbound, isKnown } from './inbound-mails.queries.js';
import { type Answer, InboundStore } from './inbound-store.service.js';
import { withoutTokens } from './message-text.js';
import { Returns } from './returns.service.js';

/** The most mails that are recorded in an hour for one mail of ours, including refused ones and bounces. */
const MAX_OF_MAIL = 60;
/** The most mails that a chat takes in an hour. */
const MAX_PER_HOUR = 20;
const HOUR_MS = 3_600_000;
/** How many of our mails or messages an answer is compared with, to find its quotes. */
const QUOTABLE = { mails: 5, messages: 20 };
/** The bytes at the beginning of an unreadable mail that are searched for our addresses. */
const HEAD_BYTES = 65_536;
/** The most tokens of a mail that are looked up. */
const MAX_TOKENS = 20;

/** How a mail arrived. */
interface Receipt {
  recipient?: string;
  isLenient?: boolean;
}

/** Who a mail is for. */
interface Addressed {
  tokens: string[];
  /** Whether it came to an envelope sender of ours. */
  isReturn: boolean;
}

/** Takes mails that arrived by HTTP or in the mailbox (CONTRACT: E-mail). */
@Injectable()
export class InboundMails {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly setup: MailSetup,
    private readonly reader: MailReader,
    private readonly files: InboundFiles,
    private readonly store: InboundStore,
    private readonly returns: Returns,
  ) {}

  /**
   * Stores what a mail says in its chat, once per `Message-ID`.
   * @param source the whole mail
   * @param options.recipient the address that it was delivered to, if the transport says it
   * @param options.isLenient see `InboundFiles.store`
   * @returns null if the mail isn't for us: it has neither a token nor a Message-ID of ours
   * @throws if the database or the files' store can't be reached; then nothing is stored, and it can be tried again
   */
  async receive(source: Buffer, { recipient, isLenient = false }: Receipt = {}): Promise<InboundResult | null> {
    const given = recipient === undefined ? [] : [recipient];
    let mail: ReceivedMail;
    try {
      mail = await this.reader.read(source);
    } catch (error) {
      if (!(error instanceof UnreadableMail)) throw error;
      return this.refuseUnreadable(source, given, error);
    }
    const to = this.addressed(mail, given);
    if (to.tokens.length === 0) return null;
    const answered = await findAnswered(this.pool, to.tokens);
    if (!answered) return this.refuseUnknown();
    // A stranger with one token can't fill the table. Beyond the limit, nothing is noted.
    const since = new Date(Date.now() - HOUR_MS);
    if ((await countOfMail(this.manager, answered, since)) >= MAX_OF_MAIL)
      return { status: 'refused', reason: 'limit' };
    if (to.isReturn || mail.report) return this.returns.process(answered, mail, keyOf(mail, answered, false));
    return this.answer(answered, mail, source, isLenient);
  }

  /**
   * Records that a mail is longer than 25 MiB, once for the same beginning.
   * @param head its beginning
   * @returns null if it has no token of ours
   * @throws if the database can't be reached
   */
  async refuseTooLong(head: Buffer): Promise<InboundResult | null> {
    if (this.tokensOf(head, []).length === 0) return null;
    const result = await this.refuseUnreadable(head, [], new UnreadableMail('too_large'));
    return result ?? this.refuseUnknown();
  }

  private async answer(
    answered: AnsweredMail,
    mail: ReceivedMail,
    source: Buffer,
    isLenient: boolean,
  ): Promise<InboundResult> {
    const isProven = hasProof(mail, this.config.MAIL_AUTHSERV_ID);
    const key = keyOf(mail, answered, isProven, source);
    const { organizationId, chatId } = answered;
    if (await isKnown(this.manager, organizationId, key)) return { status: 'duplicate' };
    const refusal = this.findRefusal(answered, mail);
    if (refusal) return this.refuse(answered, mail, key, refusal);
    const quotable = await readQuotable(this.manager, { organizationId, chatId: chatId! }, QUOTABLE);
    const tokens = [...new Set([answered.token, ...this.setup.tokensIn(mail.text)])].slice(0, MAX_TOKENS);
    const text = withoutTokens(ownText(mail.text, quotable), tokens);
    if (text === '' && mail.files.length === 0) return this.refuse(answered, mail, key, 'empty');
    const since = new Date(Date.now() - HOUR_MS);
    const taken = await countTaken(this.manager, { organizationId, chatId: chatId! }, since);
    if (taken >= MAX_PER_HOUR) return this.refuse(answered, mail, key, 'limit');
    const isVisitor =
      isProven && answered.isVerified && !mail.isOfList && foldText(mail.from!) === foldText(answered.email ?? '');
    const whole = withoutTokens(mail.text, tokens);
    const use = (attachments: StoredAttachments) => {
      const answer: Answer = { answered, key, from: mail.from, text, whole, attachments };
      return isVisitor ? this.store.storeMessage(answer) : this.store.storeToCheck(answer);
    };
    return this.files.store(answered, mail.files, use, isLenient);
  }

  private findRefusal({ chatId, isErased, isBlocked }: AnsweredMail, mail: ReceivedMail): Refusal | null {
    if (chatId === null) return 'unknown_token';
    if (isErased) return 'erased';
    if (mail.from !== null && this.setup.isOwn(mail.from)) return 'own';
    if (mail.messageId !== null && this.setup.tokenOfMessageId(mail.messageId) !== null) return 'own';
    if (mail.isAutomatic) return 'automatic';
    return isBlocked ? 'blocked' : null;
  }

  /** Finds the tokens of our mails that a mail is for: first the ones in its addresses, then the ones of the mails that it answers. */
  private addressed({ recipients, references, report }: ReceivedMail, given: readonly string[]): Addressed {
    const found = [...given, ...recipients].flatMap((address) => this.setup.tokenOf(address) ?? []);
    const byId = [...(report?.messageIds ?? []), ...references].flatMap((id) => this.setup.tokenOfMessageId(id) ?? []);
    const tokens = [...new Set([...found.map(({ token }) => token), ...byId])].slice(0, MAX_TOKENS);
    return { tokens, isReturn: found[0]?.isBounce ?? false };
  }

  private async refuse(
    { organizationId, chatId, mailId }: AnsweredMail,
    { from }: Pick<ReceivedMail, 'from'>,
    key: string,
    reason: Refusal,
  ): Promise<InboundResult> {
    const row = { organizationId, chatId, mailId, key, reason, sender: from, id: newId('inm') };
    const isNew = await insertInbound(this.manager, { ...row, status: 'REFUSED', receivedAt: new Date() });
    return isNew ? { status: 'refused', reason } : { status: 'duplicate' };
  }

  // The mail belongs to no organization, so it's only logged.
  private refuseUnknown(): InboundResult {
    this.logger.warn('refused a mail to an unknown token');
    return { status: 'refused', reason: 'unknown_token' };
  }

  private async refuseUnreadable(
    source: Buffer,
    given: readonly string[],
    { message }: UnreadableMail,
  ): Promise<InboundResult | null> {
    const tokens = this.tokensOf(source, given);
    const answered = tokens.length === 0 ? null : await findAnswered(this.pool, tokens);
    if (!answered) return null;
    this.logger.warn({ organizationId: answered.organizationId, reason: message }, 'refused a mail that is too large');
    // Beyond the limit of a stranger with one token, nothing is noted.
    if ((await countOfMail(this.manager, answered, new Date(Date.now() - HOUR_MS))) >= MAX_OF_MAIL)
      return { status: 'refused', reason: 'too_large' };
    const key = createHash('sha256').update(source).digest('hex');
    return this.refuse(answered, { from: null }, key, 'too_large');
  }

  private tokensOf(source: Buffer, given: readonly string[]): string[] {
    const head = source.subarray(0, HEAD_BYTES).toString('latin1');
    return this.setup.tokensIn(`${given.join()}\n${head}`).slice(0, MAX_TOKENS);
  }
}

/**
 * The key that recognizes a repeated mail. The sender and the proof are part of it, so that a stranger's mail with the same Message-ID
 * doesn't keep the visitor's out.
 */
function keyOf(
  { messageId, from, isOfList }: ReceivedMail,
  { mailId }: AnsweredMail,
  isProven: boolean,
  source: Buffer = Buffer.alloc(0),
): string {
  const name = messageId ?? createHash('sha256').update(source).digest('hex');
  return createHash('sha256')
    .update(JSON.stringify([name, foldText(from ?? ''), mailId, isProven && !isOfList]))
    .digest('hex');
}
