import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { type InboxRow, toInboxRow } from './inbox-row.js';
import { findRows } from './rows.queries.js';
import { findWhoMaySee } from './visibility.queries.js';

/** What agents see of chats (CONTRACT section 10). */
@Injectable()
export class InboxService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The rows of these chats as they are now, in this order. Chats that were erased or removed are left out. */
  async findRows(organizationId: string, chatIds: readonly string[]): Promise<InboxRow[]> {
    return (await findRows(this.pool, organizationId, chatIds)).map(toInboxRow);
  }

  /** Which of these agents may see each of these chats: for every chat a set, which is empty for one that was erased. */
  async findWhoMaySee(
    organizationId: string,
    chatIds: readonly string[],
    agentIds: readonly string[],
  ): Promise<Map<string, Set<string>>> {
    const found = new Map(chatIds.map((chatId) => [chatId, new Set<string>()]));
    const pairs = await findWhoMaySee(this.pool, organizationId, chatIds, agentIds);
    for (const { chatId, agentId } of pairs) found.get(chatId)?.add(agentId);
    return found;
  }
}
