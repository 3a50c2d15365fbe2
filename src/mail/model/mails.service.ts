import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { notFound } from '../../platform/errors/problem.js';
import type { MailRow, NewMail } from './mail.js';
import { MailSetup } from './mail-setup.js';
import { newMailToken } from './mail-token.js';
import { findMail, insertMail, listMails } from './mails.queries.js';
import './mails.events.js';

/** The mails of organizations (CONTRACT: E-mail). */
@Injectable()
export class MailsService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly events: DomainEventBus,
  ) {}

  /** Stores a mail in the transaction `tx`. It's sent after the commit, at least once. */
  async queue(tx: EntityManager, mail: NewMail): Promise<void> {
    await insertMail(tx, mail, newMailToken(), new Date());
    this.events.emit('mails.queued', { organizationId: mail.organizationId }, tx);
  }

  /** Queues a test mail. @throws Problem mail_off */
  async sendTest(organizationId: string, to: string): Promise<MailRow> {
    this.setup.requireOn();
    const id = newId('eml');
    await transaction(this.manager, (tx) => this.queue(tx, { organizationId, id, kind: 'test', to }));
    return (await findMail(this.pool, organizationId, id)) ?? notFound('Mail');
  }

  /** The mails of an organization, newest first. */
  async list<T>(organizationId: string, { limit, cursor }: PageQuery, map: (row: MailRow) => T): Promise<Page<T>> {
    const rows = await listMails(this.pool, organizationId, { before: cursor, limit: limit + 1 });
    return toPage(rows, limit, map);
  }
}
