import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { AuditService } from '../../auth/audit/audit.service.js';
import { type RequestContext, systemContext } from '../../auth/context/request-context.js';
import '../../chats/model/chats.events.js';
import { raiseRev } from '../../chats/moves/chat-transitions.queries.js';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { markAddress, resubscribeAddress } from '../../visitors/address-status.queries.js';

/** The mail that someone unsubscribes by. */
interface SubscribedMail {
  organizationId: string;
  organizationName: string;
  visitorId: string;
  to: string;
  language: string | null;
}

const TOKEN = /^[a-z2-7]{26}$/;
const find = (isOf: IsOf) => `
  SELECT m.organization_id AS "organizationId", o.name AS "organizationName", m.visitor_id AS "visitorId", m.recipient AS "to", m.language
  FROM mails m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
  WHERE m.token = $1 AND (m.kind = 'missed' OR m.ended_at IS NOT NULL) AND ${isOf('m')}`;

/** Ends the mails about chats to an address in an organization (RFC 8058). */
@Injectable()
export class Unsubscribing {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  /** The mail of a token. Changes nothing. @throws Problem not_found */
  async find(token: string): Promise<SubscribedMail> {
    if (!TOKEN.test(token)) notFound('Mail');
    const query = { name: 'find-subscribed-mail', text: find, values: [token] };
    const [mail] = await queryEverywhere<SubscribedMail & Record<string, unknown>>(this.pool, query);
    return mail ?? notFound('Mail');
  }

  /** Ends it for the address of a chat's visitor, who asked for it. A second time changes nothing. @throws Problem no_address */
  async resubscribe(
    context: RequestContext,
    chatId: string,
    { email, id }: { id: string; email: string | null },
  ): Promise<void> {
    const { organizationId } = context;
    if (email === null) throw new Problem('no_address', 'The visitor has no e-mail address');
    await transaction(this.manager, async (tx) => {
      if (!(await resubscribeAddress(tx, organizationId, email))) return;
      await this.audit.record(context, { action: 'visitor.resubscribed', target: id }, tx);
      await raiseRev(tx, organizationId, chatId);
      this.events.emit('chat.changed', { organizationId, chatId }, tx);
    });
  }

  /** Unsubscribes the address of a mail. A second time changes nothing. @throws Problem not_found */
  async unsubscribe(token: string): Promise<SubscribedMail> {
    const mail = await this.find(token);
    const { organizationId, visitorId, to } = mail;
    await transaction(this.manager, async (tx) => {
      if (!(await markAddress(tx, organizationId, to, 'UNSUBSCRIBED', new Date()))) return;
      const record = { action: 'visitor.unsubscribed', target: visitorId } as const;
      await this.audit.record(systemContext(organizationId), record, tx);
    });
    return mail;
  }
}
