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
import { IS_VERIFIED } from './verified.js';
import { MailSetup } from './mail-setup.js';
import { findAddressStatuses, markAddress, resubscribeAddress } from '../../visitors/address-status.queries.js';

/** The mail whose link unsubscribes. */
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

const FIND_VERIFIED = `
  SELECT v.email FROM visitors v WHERE v.organization_id = $1 AND v.id = $2 AND v.erasing_since IS NULL AND ${IS_VERIFIED}`;

/** The address of a visitor that's known to be theirs. */
async function findVerifiedAddress(pool: Pool, organizationId: string, visitorId: string): Promise<string | null> {
  const query = { name: 'verified-address', text: FIND_VERIFIED, values: [organizationId, visitorId] };
  const { rows } = await pool.query<{ email: string | null }>(query);
  return rows[0]?.email ?? null;
}

/** Ends the mails about chats to an address in an organization (RFC 8058). */
@Injectable()
export class Unsubscribing {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
    private readonly setup: MailSetup,
  ) {}

  /** The mail of a token. Changes nothing. @throws Problem not_found */
  async find(token: string): Promise<SubscribedMail> {
    if (!TOKEN.test(token)) notFound('Mail');
    const query = { name: 'find-subscribed-mail', text: find, values: [token] };
    const [mail] = await queryEverywhere<SubscribedMail & Record<string, unknown>>(this.pool, query);
    return mail ?? notFound('Mail');
  }

  /** The visitor's verified address if it's unsubscribed; otherwise, or while mail is off, null. */
  async findUnsubscribed(organizationId: string, visitorId: string): Promise<string | null> {
    const address = this.setup.isOn ? await findVerifiedAddress(this.pool, organizationId, visitorId) : null;
    const [status] = await findAddressStatuses(this.pool, organizationId, [address]);
    return status === 'UNSUBSCRIBED' ? address : null;
  }

  /**
   * Resubscribes a visitor who asks for mails again. Someone else may have typed an address, so it must be verified. A repeated call
   * changes nothing.
   * @throws Problem mail_off; no_address without a verified address
   */
  async resubscribeVisitor(context: RequestContext, chatId: string, id: string): Promise<void> {
    this.setup.requireOn();
    const email = await findVerifiedAddress(this.pool, context.organizationId, id);
    if (email === null) throw new Problem('no_address', 'The visitor has no verified e-mail address');
    await this.resubscribe(context, chatId, { id, email });
  }

  /** Resubscribes the address of a chat's visitor, who asked for that. A repeated call changes nothing. @throws Problem no_address */
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
