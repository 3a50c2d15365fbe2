import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Block } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import type { LeasedMail } from '../model/mail.js';
import { ChatLetters, findAddressLapse, findChatLapse, messageBlock, textBlock } from './chat-letter.js';
import type { Kind, Prepared } from './kind.js';
import { findMailedChat, type MailedChat, type MailedMessage } from './mailed-chat.queries.js';
import { readTranscript } from './transcripts.queries.js';

/** Sends a visitor the messages of a chat (CONTRACT: E-mail). */
@Injectable()
export class TranscriptMail implements Kind {
  constructor(
    private readonly manager: EntityManager,
    private readonly letters: ChatLetters,
  ) {}

  async prepare(mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const { organizationId, chatId } = mail;
    const chat = await findMailedChat(this.manager, organizationId, chatId!);
    const unwanted = findChatLapse(mail, chat);
    if (unwanted !== null) return { lapsed: unwanted, isRepeatable: true };
    const lapsed = await this.findLapse(mail, chat!, paper);
    if (lapsed !== null) return { lapsed };
    const read = chat!.isVerified ? await readTranscript(this.manager, organizationId, chatId!) : null;
    const blocks = read ? blocksOf(paper, read) : [textBlock(paper.fill(paper.words.transcriptUnverified))];
    const words = { blocks, messages: read?.messages ?? [], canUnsubscribe: mail.endedAt !== null };
    return { letter: await this.letters.write(mail, chat!, paper, words) };
  }

  // A transcript that a visitor or an agent asked for is sent even if mails to the address bounced, or the visitor unsubscribed.
  private async findLapse(
    mail: LeasedMail,
    { endedAt, lastMessageAt }: MailedChat,
    paper: Paper,
  ): Promise<string | null> {
    if (lastMessageAt === null) return 'the chat has no message';
    if (paper.settings.transcript === 'NEVER') return 'the organization sends no transcripts';
    if (mail.endedAt === null) return null;
    if (endedAt?.getTime() !== mail.endedAt.getTime()) return 'the chat goes on';
    return findAddressLapse(this.manager, mail);
  }
}

function blocksOf(paper: Paper, { messages, hasMore }: { messages: MailedMessage[]; hasMore: boolean }): Block[] {
  const { words, timeZone, language } = paper;
  const clock = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return [
    textBlock(paper.fill(words.transcriptText, { zone: timeZone })),
    ...(hasMore ? [textBlock(words.transcriptCut)] : []),
    ...messages.map((message) =>
      messageBlock(paper, message, { more: [clock.format(message.createdAt)], maxText: Infinity }),
    ),
  ];
}
