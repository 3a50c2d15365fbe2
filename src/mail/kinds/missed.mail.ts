import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Block, Letter } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';
import { VisitorPresence } from '../model/visitor-presence.js';
import { ChatLetters, findAddressLapse, findChatLapse, messageBlock, textBlock } from './chat-letter.js';
import type { Kind, Prepared } from './kind.js';
import { findMailedChat, type MailedChat, type MailedMessage } from './mailed-chat.queries.js';
import { readMissedMessages } from './missed.queries.js';

const MOST = { newest: 20, before: 3 };
/** The most characters of a message in a mail. */
const MAX_TEXT = 2_000;
/** How long a visitor with an open socket may take to read, and how often it's checked whether the socket is still open. */
const READING_MS = 30 * 60_000;
const CHECK_MS = 15_000;

/** Sends a visitor what agents and bots wrote while they were offline (CONTRACT: E-mail). */
@Injectable()
export class MissedMail implements Kind {
  constructor(
    private readonly manager: EntityManager,
    private readonly letters: ChatLetters,
    private readonly presence: VisitorPresence,
  ) {}

  async prepare(mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const { organizationId, chatId } = mail;
    const chat = await findMailedChat(this.manager, organizationId, chatId!);
    const unwanted = findChatLapse(mail, chat);
    if (unwanted !== null) return { lapsed: unwanted, isRepeatable: true };
    const lapsed = await this.findLapse(mail, chat!);
    if (lapsed !== null) return { lapsed };
    const wait = await this.findWait(mail, chat!, paper.settings.missedAfterSeconds);
    return wait === null ? { letter: await this.write(mail, chat!, paper) } : { waitsUntil: wait };
  }

  private findLapse(mail: LeasedMail, { afterSeq }: MailedChat): string | null | Promise<string | null> {
    if (afterSeq !== mail.afterSeq) return 'the visitor read or answered';
    return findAddressLapse(this.manager, mail);
  }

  private async findWait(
    { organizationId }: LeasedMail,
    { visitorId, lastMessageAt }: MailedChat,
    seconds: number,
  ): Promise<Date | null> {
    const quietAt = lastMessageAt!.getTime() + seconds * 1000;
    if (quietAt > Date.now()) return new Date(quietAt);
    const readAt = lastMessageAt!.getTime() + READING_MS;
    if (readAt <= Date.now() || !(await this.presence.isOnline(organizationId, visitorId))) return null;
    return new Date(Math.min(readAt, Date.now() + CHECK_MS));
  }

  private async write(mail: LeasedMail, chat: MailedChat, paper: Paper): Promise<Letter> {
    const { organizationId, chatId } = mail;
    const of = { organizationId, chatId: chatId! };
    const missed = chat.isVerified ? await readMissedMessages(this.manager, of, mail.afterSeq!, MOST) : null;
    const messages = missed?.newest ?? [];
    const blocks = missed ? blocksOf(paper, missed) : [textBlock(paper.fill(paper.words.missedUnverified))];
    return this.letters.write(mail, chat, paper, { blocks, messages, canUnsubscribe: true });
  }
}

function blocksOf(
  paper: Paper,
  { newest, before, count }: { newest: MailedMessage[]; before: MailedMessage[]; count: number },
): Block[] {
  const { words } = paper;
  const more = count - newest.length;
  return [
    textBlock(paper.fill(words.missedText)),
    ...(more > 0 ? [textBlock(paper.fill(words.more, { count: String(more) }))] : []),
    ...newest.map((message) => messageBlock(paper, message, { maxText: MAX_TEXT })),
    ...(before.length > 0 ? [textBlock(words.earlier)] : []),
    ...before.map((message) => messageBlock(paper, message, { maxText: MAX_TEXT, isEarlier: true })),
  ];
}
