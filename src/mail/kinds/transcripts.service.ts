import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { type MailSettings, withMailDefaults } from '../../organizations/mail-settings.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { findSender } from '../letters/sender.queries.js';
import { type AddressStatus, findAddressStatus } from '../../visitors/address-status.queries.js';
import { MailSetup } from '../model/mail-setup.js';
import { ChatMails } from './chat-mails.service.js';
import {
  countedSince,
  findEnded,
  findSendingTranscripts,
  lockTranscripts,
  MAX_AN_HOUR,
} from './transcripts.queries.js';

const HOUR_SECONDS = 3_600;

/** Who asks for a transcript. */
type Asking = 'visitor' | 'agent';

/** Sends transcripts of chats to their visitors (CONTRACT: E-mail). */
@Injectable()
export class Transcripts {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly mails: ChatMails,
  ) {}

  /**
   * Queues a transcript of a chat.
   * @throws Problem mail_off, no_address, rate_limited (5 an hour for a chat), or not_found for a chat that was erased
   */
  async request(organizationId: string, chatId: string, asking: Asking): Promise<void> {
    this.setup.requireOn();
    const { transcript } = await this.settingsOf(organizationId);
    if (transcript === 'NEVER') throw new Problem('mail_off', 'The organization sends no transcripts');
    await transaction(this.manager, async (tx) => {
      const since = countedSince(new Date());
      const { visitor, count } = (await lockTranscripts(tx, organizationId, chatId, since)) ?? notFound('Chat');
      const { email } = visitor;
      if (email === null) throw new Problem('no_address', 'The visitor has no e-mail address');
      requireAddress(await findAddressStatus(tx, organizationId, email), asking);
      if (count >= MAX_AN_HOUR) throw tooMany();
      await this.mails.queue({ ...visitor, email }, { kind: 'transcript' }, tx);
    });
  }

  /**
   * Queues a transcript of each chat that ended, for organizations that always send one.
   * @param reach how many seconds ago a chat may have ended
   */
  async queueOfEnded(reach: number): Promise<void> {
    const from = new Date(Date.now() - reach * 1000);
    const organizations = await findSendingTranscripts(this.pool);
    if (organizations.length === 0) return;
    const since = organizations.map((one) => ({ id: one.id, since: one.since && one.since > from ? one.since : from }));
    for (const { endedAt, ...visitor } of await findEnded(this.pool, since))
      await this.mails.queue(visitor, { kind: 'transcript', endedAt });
  }

  private async settingsOf(organizationId: string): Promise<MailSettings> {
    const sender = (await findSender(this.manager, organizationId)) ?? notFound('Organization');
    return withMailDefaults(sender.mailSettings);
  }
}

// A visitor who unsubscribed may still ask for a transcript.
function requireAddress(status: AddressStatus, asking: Asking): void {
  if (status === 'BOUNCED') throw new Problem('no_address', "E-mails to the visitor's address came back");
  if (status === 'UNSUBSCRIBED' && asking === 'agent')
    throw new Problem('no_address', 'The visitor unsubscribed from e-mails');
}

function tooMany(): Problem {
  const detail = `A chat has at most ${MAX_AN_HOUR} transcripts an hour`;
  return new Problem('rate_limited', detail, undefined, HOUR_SECONDS);
}
