import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { type Page, toPage } from '../platform/validation/paging.js';
import { notFound } from '../platform/errors/problem.js';
import { POOL } from '../platform/database/pool.js';
import {
  type ChatFilter,
  type ChatOverview,
  findChatOverview,
  findTitles,
  listChatOverviews,
  type ListedChat,
} from './chat-overview.queries.js';

/** Chats with names and their latest messages. */
@Injectable()
export class ChatOverviewsService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** @throws Problem not_found */
  async get(organizationId: string, id: string, client: Pick<Pool, 'query'> = this.pool): Promise<ChatOverview> {
    return (await findChatOverview(client, organizationId, id)) ?? notFound('Chat');
  }

  /** Newest first. A page has at most about 1 MB. */
  async list<T>(organizationId: string, filter: ChatFilter, map: (row: ListedChat) => T): Promise<Page<T>> {
    const rows = await listChatOverviews(this.pool, organizationId, { ...filter, limit: filter.limit + 1 });
    const [first] = rows;
    return toPage(rows, filter.limit, map, first !== undefined && rows.length < first.found);
  }

  /** The visitor's first words in each chat, by the chat's id. */
  listTitles(organizationId: string, chatIds: readonly string[]): Promise<Map<string, string>> {
    return findTitles(this.pool, organizationId, chatIds);
  }
}
