import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AI_MARKS } from '../../platform/locale/ai-disclosure.js';
import type { Block, Letter } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import { findAddressStatus } from '../../visitors/address-status.queries.js';
import type { LeasedMail } from '../model/mail.js';
import { MailSetup } from '../model/mail-setup.js';
import { VisitorLinks } from '../model/visitor-links.service.js';
import type { MailedChat, MailedMessage } from './mailed-chat.queries.js';

/** Why a mail about a chat, of any kind, is no longer wanted; null if it may be. */
export function findChatLapse(mail: LeasedMail, chat: MailedChat | null): string | null {
  if (!chat) return 'the visitor was erased';
  if (chat.email !== mail.to) return 'the visitor has another address';
  return chat.isBlocked ? 'the visitor is blocked' : null;
}

/** Why the mail is no longer wanted, by what happened to the address: mails bounced, or the visitor unsubscribed. */
export async function findAddressLapse(manager: EntityManager, mail: LeasedMail): Promise<string | null> {
  const status = await findAddressStatus(manager, mail.organizationId, mail.to);
  return status === 'ACTIVE' ? null : `the address is ${status}`;
}

export function textBlock(text: string): Block {
  return { type: 'text', text };
}

/** A message with its sender. @param more what follows the sender's name; @param maxText the most characters of its text */
export function messageBlock(
  { name, words, language }: Paper,
  { content, senderType, senderName, isAi, fileNames }: MailedMessage,
  { more = [], maxText, isEarlier = false }: { more?: string[]; maxText: number; isEarlier?: boolean },
): Block {
  const sender = senderType === 'VISITOR' ? words.you : (senderName ?? name);
  const short = [...content].length > maxText ? `${[...content].slice(0, maxText).join('')} …` : content;
  return {
    type: 'message',
    sender: [sender, ...(isAi ? [AI_MARKS[language]] : []), ...more].join(' · '),
    text: [short, ...(fileNames ?? [])].filter((part) => part !== '').join('\n'),
    isEarlier,
  };
}

/** What a mail about a chat says. */
export interface ChatWords {
  blocks: Block[];
  /** The messages that it has. */
  messages: readonly MailedMessage[];
  canUnsubscribe: boolean;
}

/** Writes mails about chats, with the link to continue. */
@Injectable()
export class ChatLetters {
  constructor(
    private readonly setup: MailSetup,
    private readonly links: VisitorLinks,
  ) {}

  async write(
    mail: LeasedMail,
    { visitorId, isVerified, threadToken }: MailedChat,
    paper: Paper,
    { blocks, messages, canUnsubscribe }: ChatWords,
  ): Promise<Letter> {
    const { words } = paper;
    const ending = { label: words.unsubscribe, url: this.setup.urlOf(`/api/mail/unsubscribe/${mail.token}`) };
    return paper.letter({
      subject: paper.fill(words.chatSubject),
      blocks,
      button: { label: words.openChat, url: await this.links.urlFor(mail, visitorId) },
      footer: [
        ...(isVerified && this.setup.takesReplies ? [words.canReply] : []),
        words.linkEnd,
        ...(isVerified ? [] : [paper.fill(words.notYou)]),
      ],
      isAutomatic: !messages.some(({ senderType }) => senderType === 'AGENT'),
      unsubscribe: canUnsubscribe ? ending : null,
      references: threadToken === null || threadToken === mail.token ? null : this.setup.messageId(threadToken),
    });
  }
}
