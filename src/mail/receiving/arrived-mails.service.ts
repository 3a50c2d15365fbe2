import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { MessagePage, MessageView } from '../../messages/message.js';
import type { MissedMailState } from '../model/mail.js';
import { findMissedMails, type MissedMail } from '../model/mails.queries.js';
import { POOL } from '../../platform/database/pool.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { type InboundRow, listInbound, readFullTexts } from './inbound-mails.queries.js';

/** A message as agents read it. */
export interface MailedMessage extends MessageView {
  /** Of a message that arrived as a mail: up to 10,000 characters with quotes and signature; absent if the message has all, or is deleted. */
  fullText?: string;
  /** Of an agent's or bot's message: what became of the mail about it; absent without one. */
  mail?: MissedMailState;
}

export type MailedPage = Omit<MessagePage, 'messages'> & { messages: MailedMessage[] };

/** What's known of mails that arrived (CONTRACT: E-mail). */
@Injectable()
export class ArrivedMails {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The mails that arrived for an organization, newest first. */
  async list<T>(organizationId: string, { limit, cursor }: PageQuery, map: (row: InboundRow) => T): Promise<Page<T>> {
    const rows = await listInbound(this.pool, organizationId, { before: cursor, limit: limit + 1 });
    return toPage(rows, limit, map);
  }

  /** Adds the full texts of a visitor's messages that arrived as mails, and what became of the mails about the others' messages. */
  async addTo(organizationId: string, chatId: string, page: MessagePage): Promise<MailedPage> {
    const mayBeMail = ({ sender, deletedAt }: MessageView) => sender.type === 'VISITOR' && deletedAt === undefined;
    const ids = page.messages.filter(mayBeMail).map(({ id }) => id);
    const isSent = page.messages.some(({ sender }) => sender.type === 'AGENT' || sender.type === 'BOT');
    const [texts, missed] = await Promise.all([
      ids.length > 0 ? readFullTexts(this.pool, organizationId, ids) : new Map<string, string>(),
      isSent ? findMissedMails(this.pool, organizationId, chatId) : [],
    ]);
    if (texts.size === 0 && missed.length === 0) return page;
    const messages = page.messages.map((message) => {
      const fullText = texts.get(message.id);
      const mail = mailAbout(message, missed);
      return { ...message, ...(fullText !== undefined && { fullText }), ...(mail && { mail }) };
    });
    return { ...page, messages };
  }
}

// A sent mail has the messages that were stored before. Later ones wait until the visitor has read or answered.
function mailAbout({ seq, sender, createdAt }: MessageView, missed: readonly MissedMail[]): MissedMailState | null {
  if (sender.type !== 'AGENT' && sender.type !== 'BOT') return null;
  const mail = missed.find(({ afterSeq }) => afterSeq < seq);
  if (!mail || (mail.status !== 'WAITING' && Date.parse(createdAt) > mail.at.getTime())) return null;
  return { status: mail.status, at: mail.at };
}
