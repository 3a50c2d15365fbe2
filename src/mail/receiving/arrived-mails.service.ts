import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { MessagePage, MessageView } from '../../messages/message.js';
import { POOL } from '../../platform/database/pool.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { type InboundRow, listInbound, readFullTexts } from './inbound-mails.queries.js';

/** A message with the text of its mail. */
export interface MailedMessage extends MessageView {
  /** Up to 10,000 characters with quotes and signature; absent if the message has all of it. */
  fullText?: string;
}

/** What's known of mails that arrived (CONTRACT section 15). */
@Injectable()
export class ArrivedMails {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The mails that arrived for an organization, newest first. */
  async list<T>(organizationId: string, { limit, cursor }: PageQuery, map: (row: InboundRow) => T): Promise<Page<T>> {
    const rows = await listInbound(this.pool, organizationId, { before: cursor, limit: limit + 1 });
    return toPage(rows, limit, map);
  }

  /** Adds the texts of mails to the messages that they became. */
  async withFullTexts(
    organizationId: string,
    page: MessagePage,
  ): Promise<Omit<MessagePage, 'messages'> & { messages: MailedMessage[] }> {
    const ids = page.messages.filter(({ sender }) => sender.type === 'VISITOR').map(({ id }) => id);
    const texts = ids.length === 0 ? new Map<string, string>() : await readFullTexts(this.pool, organizationId, ids);
    if (texts.size === 0) return page;
    const messages = page.messages.map((message) => {
      const fullText = texts.get(message.id);
      return fullText === undefined ? message : { ...message, fullText };
    });
    return { ...page, messages };
  }
}
