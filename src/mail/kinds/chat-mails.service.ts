import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { MailAddresses } from '../model/mail-addresses.js';
import { type MailLimitRule, spendMailLimit } from '../model/mail-limits.queries.js';
import { newMailToken } from '../model/mail-token.js';
import { announceMissed } from '../model/announcing.js';
import '../model/mails.events.js';
import { insertChatMail, type NewChatMail, setTooMany, type VisitorAddress } from './mailed-chat.queries.js';

/** The limit of mails from all organizations to an address that isn't verified. */
const UNVERIFIED: MailLimitRule = { count: 3, seconds: 86_400, pauseSeconds: 600 };

/** Queues mails about chats to their visitors (CONTRACT: E-mail). */
@Injectable()
export class ChatMails {
  constructor(
    private readonly manager: EntityManager,
    private readonly addresses: MailAddresses,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Stores a mail, unless another node has. Beyond the limit for addresses that aren't verified, it's stored as `TOO_MANY` and never sent.
   * @param tx omitted: a transaction of its own
   */
  queue(
    visitor: VisitorAddress,
    about: Omit<NewChatMail, 'id' | 'token'>,
    tx: EntityManager | null = null,
  ): Promise<void> {
    if (tx === null) return transaction(this.manager, (own) => this.queue(visitor, about, own));
    return this.store(tx, visitor, { ...about, id: newId('eml'), token: newMailToken() });
  }

  // Counts only after the row is stored: another node may have been faster.
  private async store(tx: EntityManager, visitor: VisitorAddress, mail: NewChatMail): Promise<void> {
    const { organizationId, email, isVerified } = visitor;
    const now = new Date();
    const key = this.addresses.limitKey('unverified', email);
    if (!(await insertChatMail(tx, visitor, mail, now))) return;
    if (isVerified || (await spendMailLimit(tx, key, UNVERIFIED, now)))
      this.events.emit('mails.queued', { organizationId }, tx);
    else await setTooMany(tx, organizationId, mail.id);
    await announceMissed(tx, this.events, { ...visitor, afterSeq: mail.afterSeq });
  }
}
