import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FileLinks } from '../files/file-links.js';
import type { FileView, StoredFile } from '../files/file.js';
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
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly links: FileLinks,
  ) {}

  /** With the addresses of files for bots, which don't change. @throws Problem not_found */
  async get(organizationId: string, id: string, client: Pick<Pool, 'query'> = this.pool): Promise<ChatOverview> {
    return linked((await findChatOverview(client, organizationId, id)) ?? notFound('Chat'), ofBots(this.links));
  }

  /** Newest first. A page has at most about 1 MB. @param forVisitor whether files have addresses for visitors */
  async list<T>(
    organizationId: string,
    filter: ChatFilter,
    map: (row: ListedChat) => T,
    forVisitor = false,
  ): Promise<Page<T>> {
    const rows = await listChatOverviews(this.pool, organizationId, { ...filter, limit: filter.limit + 1 });
    const [first] = rows;
    const link = forVisitor ? (file: StoredFile) => this.links.signed(file) : ofBots(this.links);
    return toPage(
      rows,
      filter.limit,
      (row) => map(linked(row, link)),
      first !== undefined && rows.length < first.found,
    );
  }

  /** The visitor's first words in each chat, by the chat's id. */
  listTitles(organizationId: string, chatIds: readonly string[]): Promise<Map<string, string>> {
    return findTitles(this.pool, organizationId, chatIds);
  }
}

type Link = (file: StoredFile) => FileView;

const ofBots =
  (links: FileLinks): Link =>
  (file) =>
    links.ofBots(file);

/** Adds the addresses of files, which only the reader decides. */
function linked<T extends ChatOverview>(chat: T, link: Link): T {
  for (const message of chat.messages) if (message.files) message.files = message.files.map(link);
  return chat;
}
