import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { notFound, Problem } from '../platform/http/problem.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/lib/paging.js';
import { CannedReply } from './canned-reply.entity.js';

export interface NewReply {
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
  async create(organizationId: string, { shortcut, content }: NewReply): Promise<CannedReply> {
    const row = { organizationId, id: newId('rpl'), shortcut, content, createdAt: new Date() };
    await this.write(() => this.replies.insert(row));
    return row;
  }

  /** Changes only the given fields. @throws Problem not_found; conflict when the shortcut is taken */
  async update(organizationId: string, id: string, { shortcut, content }: Partial<NewReply>): Promise<CannedReply> {
    const where = { organizationId, id };
    if (shortcut !== undefined || content !== undefined) {
      await this.write(() => this.replies.update(where, { shortcut, content }));
    }
    return (await this.replies.findOneBy(where)) ?? notFound('Canned reply');
  }

  /** @throws Problem not_found */
  async delete(organizationId: string, id: string): Promise<void> {
    const { affected } = await this.replies.delete({ organizationId, id });
    if (!affected) notFound('Canned reply');
  }

  private async write(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      if (violatedConstraint(error) !== 'uq_canned_replies_shortcut') throw error;
      throw new Problem('conflict', 'A canned reply with this shortcut exists in the organization');
    });
  }
}
