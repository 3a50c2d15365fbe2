import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditService } from '../../auth/audit/audit.service.js';
import { systemContext } from '../../auth/context/request-context.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { markAddress } from '../../visitors/address-status.queries.js';
import { announceMissed } from '../model/announcing.js';
import type { MailReport, ReceivedMail } from '../reading/received-mail.js';
import type { AnsweredMail } from './answered-mails.queries.js';
import type { InboundResult } from './inbound-mail.js';
import { countSoftBounces, insertInbound, setBounced } from './inbound-mails.queries.js';

/** How many soft bounces mark an address as bounced, and within how many milliseconds. */
const SOFT_BOUNCES = 3;
const SOFT_MS = 7 * 24 * 3_600_000;

/** What a returned mail says of its address. `other`: it's no report. */
type Kind = 'hard' | 'soft' | 'delayed' | 'complaint' | 'other';

/** Handles bounces and complaints (CONTRACT: E-mail). */
@Injectable()
export class Returns {
  constructor(
    private readonly manager: EntityManager,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  /** Records a returned mail, and marks its address if that's what the report calls for. */
  process(answered: AnsweredMail, mail: ReceivedMail, key: string): Promise<InboundResult> {
    const { organizationId, chatId, mailId } = answered;
    const kind = kindOf(mail);
    return transaction(this.manager, async (tx) => {
      const row = { organizationId, chatId, mailId, key, reason: kind, sender: mail.from, receivedAt: new Date() };
      if (!(await insertInbound(tx, { ...row, id: newId('inm'), status: 'PROCESSED' })))
        return { status: 'duplicate' as const };
      if (kind === 'complaint') await this.unsubscribe(tx, answered);
      if (kind === 'hard' || (kind === 'soft' && (await this.isLost(tx, answered))))
        await this.bounce(tx, answered, mail.report);
      return { status: 'processed' as const };
    });
  }

  private async isLost(tx: EntityManager, { organizationId, recipient }: AnsweredMail): Promise<boolean> {
    const since = new Date(Date.now() - SOFT_MS);
    return (await countSoftBounces(tx, organizationId, recipient, since)) >= SOFT_BOUNCES;
  }

  private async bounce(
    tx: EntityManager,
    { organizationId, chatId, mailId, recipient }: AnsweredMail,
    report: MailReport | null,
  ): Promise<void> {
    const status = report?.type === 'bounce' && report.status !== null ? ` (${report.status})` : '';
    await announceMissed(tx, this.events, { organizationId, chatId, afterSeq: 0 });
    await setBounced(tx, organizationId, mailId, `the mail came back${status}`);
    await markAddress(tx, organizationId, recipient, 'BOUNCED', new Date());
  }

  private async unsubscribe(tx: EntityManager, { organizationId, recipient, visitorId }: AnsweredMail): Promise<void> {
    if (!(await markAddress(tx, organizationId, recipient, 'UNSUBSCRIBED', new Date())) || visitorId === null) return;
    await this.audit.record(systemContext(organizationId), { action: 'visitor.unsubscribed', target: visitorId }, tx);
  }
}

// An address is marked immediately only if a report in the form of the standard says that it doesn't exist.
// An automatic answer, such as a note about an absence, says that it does.
function kindOf({ report }: ReceivedMail): Kind {
  if (report === null) return 'other';
  if (report.type === 'complaint') return 'complaint';
  if (report.action === 'delayed') return 'delayed';
  return report.isStandard && report.isPermanent ? 'hard' : 'soft';
}
