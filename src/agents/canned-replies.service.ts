import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { CannedReply } from './canned-reply.entity.js';

export interface NewCannedReply {
  /** Unique in the organization. */
  shortcut: string;
  content: string;
}

/** Texts that agents send often (CONTRACT section 10). */
@Injectable()
export class CannedRepliesService {
  constructor(@InjectRepository(CannedReply) private readonly replies: Repository<CannedReply>) {}

  async list<T>(
    organizationId: string,
    { limit, cursor = '' }: PageQuery,
    map: (row: CannedReply) => T,
  ): Promise<Page<T>> {
    const where = { organizationId, id: MoreThan(cursor) };
    return toPage(await this.replies.find({ where, order: { id: 'ASC' }, take: limit + 1 }), limit, map);
  }

  /** @throws Problem conflict when the shortcut is taken */
  create(
    organizationId: string,
    { shortcut, content }: NewCannedReply,
    hooks: ChangeHooks<CannedReply> = NO_HOOKS,
  ): Promise<CannedReply> {
    const row = { organizationId, id: newId('rpl'), shortcut, content, createdAt: new Date() };
    return this.write(async (tx) => {
      await tx.insert(CannedReply, row);
      await hooks.record(tx, null, row);
      return row;
    });
  }

  /** @throws Problem not_found */
  async get(organizationId: string, id: string): Promise<CannedReply> {
    return (await this.replies.findOneBy({ organizationId, id })) ?? notFound('Canned reply');
  }

  /** Changes only the given fields. @throws Problem not_found; conflict when the shortcut is taken */
  update(
    organizationId: string,
    id: string,
    { shortcut, content }: Partial<NewCannedReply>,
    hooks: ChangeHooks<CannedReply> = NO_HOOKS,
  ): Promise<CannedReply> {
    return this.write(async (tx) => {
      const before = await lockCannedReply(tx, organizationId, id);
      hooks.before(before);
      const after = { ...before, shortcut: shortcut ?? before.shortcut, content: content ?? before.content };
      await tx.update(CannedReply, { organizationId, id }, { shortcut: after.shortcut, content: after.content });
      await hooks.record(tx, before, after);
      return after;
    });
  }

  /** @throws Problem not_found */
  delete(organizationId: string, id: string, hooks: ChangeHooks<CannedReply> = NO_HOOKS): Promise<void> {
    return transaction(this.replies.manager, async (tx) => {
      await hooks.record(tx, await lockCannedReply(tx, organizationId, id), null);
      await tx.delete(CannedReply, { organizationId, id });
    });
  }

  private write(work: (tx: EntityManager) => Promise<CannedReply>): Promise<CannedReply> {
    return transaction(this.replies.manager, work).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'uq_canned_replies_shortcut') throw error;
      throw new Problem('conflict', 'Another canned reply in this organization already has this shortcut');
    });
  }
}

async function lockCannedReply(tx: EntityManager, organizationId: string, id: string): Promise<CannedReply> {
  const where = { organizationId, id };
  return (await tx.findOne(CannedReply, { where, lock: { mode: 'for_no_key_update' } })) ?? notFound('Canned reply');
}
