import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { AuditService } from '../../auth/audit/audit.service.js';
import { systemContext } from '../../auth/context/request-context.js';
import { isToken } from '../../auth/context/token-format.js';
import '../../chats/model/chats.events.js';
import { raiseRev } from '../../chats/moves/chat-transitions.queries.js';
import { Config } from '../../platform/config/config.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/errors/problem.js';
import { deriveKeys, type Keys, sha256 } from '../../platform/lib/secrets.js';
import { clearBounce } from '../../visitors/address-status.queries.js';
import type { LeasedMail } from './mail.js';
import { MailSetup } from './mail-setup.js';
import { linkTokens } from './mail-token.js';
import {
  endLinksOfAddress,
  endVisitorLink,
  findVisitorLink,
  insertVisitorLink,
  type LinkedChat,
  removeEmail,
  verifyEmail,
} from './visitor-links.queries.js';

const LIFETIME_MS = 72 * 60 * 60 * 1000;
const hashOf = (token: string) => sha256(token).toString('hex');

/** Links to continue a chat on any device (CONTRACT: E-mail). */
@Injectable()
export class VisitorLinks {
  private readonly keys: Keys;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
    config: Config,
  ) {
    this.keys = deriveKeys(config, 'links in mails');
  }

  /** The address of a mail's link to the chat of a visitor. A repeat of the mail has the same one. */
  async urlFor({ organizationId, id, chatId, to }: LeasedMail, visitorId: string): Promise<string> {
    const [token] = linkTokens(this.keys, 'prl_vln_', id);
    const link = { organizationId, tokenHash: hashOf(token), chatId: chatId!, visitorId, email: to };
    await insertVisitorLink(this.manager, { ...link, expiresAt: new Date(Date.now() + LIFETIME_MS) });
    return this.setup.urlOf(`/continue#${token}`);
  }

  /** Where a link leads. Changes nothing. @throws Problem not_found */
  async get(token: string): Promise<LinkedChat> {
    const link = isToken('prl_vln_', token) ? await findVisitorLink(this.pool, hashOf(token), new Date()) : null;
    return link ?? notFound('Link');
  }

  /** Uses a link up, and verifies the address that it was mailed to. @throws Problem not_found */
  use(token: string): Promise<LinkedChat> {
    return this.end(token, async (tx, link) => {
      if (!(await verifyEmail(tx, link))) notFound('Link');
      await clearBounce(tx, link.organizationId, link.email);
    });
  }

  /** Removes the address from the visitor, and ends its links. @throws Problem not_found */
  async reject(token: string): Promise<void> {
    await this.end(token, async (tx, link) => {
      const { organizationId, chatId, visitorId } = link;
      await endLinksOfAddress(tx, link);
      if (!(await removeEmail(tx, link))) return;
      const record = { action: 'visitor.address_removed', target: visitorId } as const;
      await this.audit.record(systemContext(organizationId), record, tx);
      await raiseRev(tx, organizationId, chatId);
      this.events.emit('chat.changed', { organizationId, chatId }, tx);
    });
  }

  private async end(token: string, work: (tx: EntityManager, link: LinkedChat) => Promise<void>): Promise<LinkedChat> {
    const link = await this.get(token);
    await transaction(this.manager, async (tx) => {
      if (!(await endVisitorLink(tx, link))) notFound('Link');
      await work(tx, link);
    });
    return link;
  }
}
