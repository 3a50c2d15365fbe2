import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Block } from '../letters/letter.js';
import type { Paper } from '../letters/stationery.js';
import { findAddressStatus } from '../model/address-status.queries.js';
import type { LeasedMail } from '../model/mail.js';
import { MailSetup } from '../model/mail-setup.js';
import { VisitorLinks } from '../model/visitor-links.service.js';
import { VisitorPresence } from '../model/visitor-presence.js';
import { AI_MARKS } from '../../platform/locale/ai-disclosure.js';
import type { Kind, Prepared } from './kind.js';
import { findMissedState, type MailedMessage, type MissedState, readMissedMessages } from './missed.queries.js';

const MOST = { newest: 20, before: 3 };
/** The most characters of a message in a mail. */
const MAX_TEXT = 2_000;
/** How long a visitor with an open socket may take to read, and how often it's checked whether the socket is still open. */
const READING_MS = 30 * 60_000;
const CHECK_MS = 15_000;

/** Sends a visitor what agents and bots wrote while they were offline (CONTRACT section 15). */
@Injectable()
export class MissedMail implements Kind {
  constructor(
    private readonly manager: EntityManager,
    private readonly setup: MailSetup,
    private readonly links: VisitorLinks,
    private readonly presence: VisitorPresence,
  ) {}

  async prepare(mail: LeasedMail, paper: Paper): Promise<Prepared> {
    const { organizationId, chatId } = mail;
    const state = await findMissedState(this.manager, organizationId, chatId!);
    const lapsed = state ? await this.findLapse(mail, state) : 'the visitor was erased';
    if (lapsed !== null) return { lapsed };
    const wait = await this.findWait(mail, state!, paper.settings.missedAfterSeconds);
    return wait === null ? { letter: await this.write(mail, state!, paper) } : { waitsUntil: wait };
  }

  private async findLapse(mail: LeasedMail, state: MissedState): Promise<string | null> {
    if (state.email !== mail.to) return 'the visitor has another address';
    if (state.isBlocked) return 'the visitor is blocked';
    if (state.afterSeq !== mail.afterSeq) return 'the visitor read or answered';
    const status = await findAddressStatus(this.manager, mail.organizationId, mail.to);
    return status === 'ACTIVE' ? null : `the address is ${status}`;
  }

  private async findWait(
    { organizationId, visitorId }: LeasedMail,
    { lastMessageAt }: MissedState,
    seconds: number,
  ): Promise<Date | null> {
    const quietAt = lastMessageAt.getTime() + seconds * 1000;
    if (quietAt > Date.now()) return new Date(quietAt);
    const readAt = lastMessageAt.getTime() + READING_MS;
    if (readAt <= Date.now() || !(await this.presence.isOnline(organizationId, visitorId!))) return null;
    return new Date(Math.min(readAt, Date.now() + CHECK_MS));
  }

  private async write(mail: LeasedMail, { isVerified, threadToken }: MissedState, paper: Paper) {
    const { words } = paper;
    const { organizationId, chatId } = mail;
    const url = await this.links.urlFor(mail);
    const missed = isVerified
      ? await readMissedMessages(this.manager, { organizationId, chatId: chatId! }, mail.afterSeq!, MOST)
      : null;
    const blocks = missed
      ? blocksOf(paper, missed)
      : [{ type: 'text' as const, text: paper.fill(words.missedUnverified) }];
    return paper.letter({
      subject: paper.fill(words.chatSubject),
      blocks,
      button: { label: words.openChat, url },
      footer: [
        ...(isVerified && this.setup.takesReplies ? [words.canReply] : []),
        words.linkEnd,
        ...(isVerified ? [] : [paper.fill(words.notYou)]),
      ],
      isAutomatic: !missed?.newest.some(({ senderType }) => senderType === 'AGENT'),
      unsubscribe: { label: words.unsubscribe, url: this.setup.urlOf(`/api/mail/unsubscribe/${mail.token}`) },
      references: threadToken === null || threadToken === mail.token ? null : this.setup.messageId(threadToken),
    });
  }
}

function blocksOf(
  paper: Paper,
  { newest, before, count }: { newest: MailedMessage[]; before: MailedMessage[]; count: number },
): Block[] {
  const { words } = paper;
  const text = (content: string): Block => ({ type: 'text', text: content });
  const more = count - newest.length;
  return [
    text(paper.fill(words.missedText)),
    ...(more > 0 ? [text(paper.fill(words.more, { count: String(more) }))] : []),
    ...newest.map((message) => blockOf(paper, message, false)),
    ...(before.length > 0 ? [text(words.earlier)] : []),
    ...before.map((message) => blockOf(paper, message, true)),
  ];
}

function blockOf({ name, words, language }: Paper, message: MailedMessage, isEarlier: boolean): Block {
  const { content, senderType, senderName, isAi, fileNames } = message;
  const named = senderType === 'VISITOR' ? words.you : (senderName ?? name);
  const sender = isAi ? `${named} · ${AI_MARKS[language]}` : named;
  const short = [...content].length > MAX_TEXT ? `${[...content].slice(0, MAX_TEXT).join('')} …` : content;
  return {
    type: 'message',
    sender,
    text: [short, ...(fileNames ?? [])].filter((part) => part !== '').join('\n'),
    isEarlier,
  };
}
