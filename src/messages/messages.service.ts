import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import type { Repository } from 'typeorm';
import type { BotIdentity } from '../auth/access-tokens.queries.js';
import '../chats/chats.events.js';
import '../outbox/outbox.events.js';
import { ChatsService } from '../chats/chats.service.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import type { Turn } from '../platform/lib/fair-turns.js';
import { newId } from '../platform/lib/ids.js';
import { notFound, overloaded, Problem, unavailable } from '../platform/http/problem.js';
import { POOL } from '../platform/database/pool.js';
import { type Append, type Appended, appendMessage, type NewMessage } from './append.queries.js';
import { AppenderService } from './appender.service.js';
import { type Idempotency, idempotency, keysExpireBefore, type Replayable } from './idempotency.js';
import { findKeptResult } from './idempotency.queries.js';
import { MessageMetrics } from './message-metrics.js';
import {
  MAX_MESSAGES,
  type MessageBody,
  type MessagePage,
  type MessageView,
  type ReplyTo,
  type Sender,
} from './message.js';
import { Message } from './message.entity.js';
import { toMessageView } from './message-view.js';
import './messages.events.js';
import { type Missing, readMessages, readMissing } from './messages.queries.js';
import { nameReply, RepliesService } from './replies.service.js';

/** What is answered to a bot that has sent a message. */
export interface SentMessage {
  id: string;
  status: 'sent';
}

/** Messages of visitors that may be on their way into chats: one more is refused, so that those of bots have room. */
const MAX_OF_VISITORS = 1_024;

/** The one road of a message into a chat, and the way to read it back. */
@Injectable()
export class MessagesService {
  private ofVisitors = 0;

  constructor(
    @InjectRepository(Message) private readonly messages: Repository<Message>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly appender: AppenderService,
    private readonly replies: RepliesService,
    private readonly chats: ChatsService,
    private readonly events: DomainEventBus,
    private readonly metrics: MessageMetrics,
  ) {}

  /**
   * A bot says something. With a key, a repetition within 24 h answers the first result and has no effect.
   * @throws Problem not_found, idempotency_key_reused
   */
  async sendAsBot(
    bot: BotIdentity,
    body: MessageBody & { chatId: string },
    key: string | null,
    traceparent: string | null = null,
  ): Promise<Replayable<SentMessage>> {
    const sender: Sender = { type: 'BOT', id: bot.botId, name: bot.name };
    const message = newMessage(bot.organizationId, body.chatId, sender, body, { traceparent });
    const asked = idempotency(key, 'messages', [body.chatId, message.type, body.content, body.metadata ?? {}]);
    const result: SentMessage = { id: message.id, status: 'sent' };
    if (!asked) await this.send(message);
    const kept = asked && (await this.sendOnce(message, asked, result));
    return kept ? { result: kept as SentMessage, isReplay: true } : { result, isReplay: false };
  }

  /**
   * A visitor says something; `clientMessageId` makes a repetition the same message, and an answer to an offer has one of
   * its own accord: a double click is one.
   * @param turn runs what asks the database of its own, beside the statement that all share
   * @throws Problem not_found; validation_failed for an answer to what was not offered; unavailable when too many wait
   */
  async sendAsVisitor(
    organizationId: string,
    chatId: string,
    visitor: { id: string; name: string | null },
    body: MessageBody & { clientMessageId?: string; replyTo?: ReplyTo },
    turn: Turn,
    traceparent: string | null = null,
  ): Promise<MessageView> {
    if (this.ofVisitors >= MAX_OF_VISITORS) throw overloaded();
    const sender: Sender = { type: 'VISITOR', id: visitor.id, name: visitor.name };
    const { replyTo, clientMessageId = replyTo && nameReply(replyTo) } = body;
    if (replyTo) await turn(() => this.replies.check(organizationId, chatId, replyTo));
    const message = newMessage(organizationId, chatId, sender, body, { clientMessageId, replyTo, traceparent });
    this.ofVisitors++;
    try {
      return await this.send(message, turn);
    } finally {
      this.ofVisitors--;
    }
  }

  /** The service itself says something, inside the transaction of `client`. Call `announce` after its commit. */
  async appendAsSystem(
    client: PoolClient,
    organizationId: string,
    chatId: string,
    body: MessageBody,
    traceparent: string | null,
  ): Promise<{ message: NewMessage; appended: Appended }> {
    const message = newMessage(organizationId, chatId, { type: 'SYSTEM', id: null, name: null }, body, { traceparent });
    return { message, appended: (await appendMessage(client, { message, claim: null })) ?? notFound('Chat') };
  }

  /** Tells everybody of a message that is committed, and answers it as everybody sees it. */
  announce(message: NewMessage, { seq, hasReopened, lanes }: Appended): MessageView {
    const { organizationId, chatId, sender } = message;
    this.metrics.onStored(message);
    const view = toMessageView({
      ...message,
      seq,
      senderType: sender.type,
      senderId: sender.id,
      senderName: sender.name,
      replyToMessageId: message.replyTo?.messageId ?? null,
      replyToValue: message.replyTo?.value ?? null,
    });
    this.events.emit('message.created', { organizationId, message: view });
    if (hasReopened) this.events.emit('chat.changed', { organizationId, chatId });
    if (lanes) this.events.emit('deliveries.queued', { lanes });
    return view;
  }

  /** Messages after a `seq`, in order, with the chat's highest. @throws Problem not_found */
  async list(
    organizationId: string,
    chatId: string,
    { afterSeq, limit }: { afterSeq: number; limit: number },
  ): Promise<MessagePage> {
    const { messageCount } = await this.chats.get(organizationId, chatId);
    return this.readAfter(organizationId, chatId, messageCount, afterSeq, limit);
  }

  /**
   * The messages after a `seq` of a chat that has `latestSeq` of them: seq has no gaps, so they are known by count. At most
   * `limit`, and about 1 MB; `hasMore` tells of the rest.
   */
  async readAfter(
    organizationId: string,
    chatId: string,
    latestSeq: number,
    afterSeq: number,
    limit: number = MAX_MESSAGES,
  ): Promise<MessagePage> {
    const lastSeq = Math.min(latestSeq, afterSeq + limit);
    const rows = lastSeq > afterSeq ? await readMessages(this.pool, organizationId, chatId, afterSeq + 1, lastSeq) : [];
    const last = rows.at(-1);
    return { messages: rows.map(toMessageView), latestSeq, hasMore: last !== undefined && last.seq < latestSeq };
  }

  /** What is missing of several chats, in the order of each, up to about 1 MB; what is asked for is asked at once. */
  async readMissing(chats: readonly Missing[]): Promise<MessageView[]> {
    return (await readMissing(this.pool, chats)).map(toMessageView);
  }

  private async send(message: NewMessage, turn: Turn = (work) => work()): Promise<MessageView> {
    const appended = await this.appender.append({ message, claim: null });
    return appended ? this.announce(message, appended) : turn(() => this.sendAlone(message));
  }

  /** Answers the kept result of an earlier request, null when this one stored the message. */
  private async sendOnce(message: NewMessage, asked: Idempotency, response: object): Promise<object | null> {
    const expiredBefore = keysExpireBefore(message.createdAt);
    const append: Append = { message, claim: { ...asked, response, expiredBefore } };
    const { organizationId, chatId, sender } = message;
    for (let attempt = 0; attempt < 3; attempt++) {
      const appended = await (attempt === 0 ? this.appender.append(append) : this.appender.appendAlone(append));
      if (appended) return this.announce(message, appended) && null;
      const kept = await findKeptResult(this.pool, organizationId, sender.id ?? '', asked, expiredBefore);
      if (kept?.fingerprint.equals(asked.fingerprint)) return kept.response;
      await this.chats.getForMessages(organizationId, chatId);
      if (kept) throw keyReused();
    }
    throw unavailable('The idempotency key is being used by another request');
  }

  /** Answers the message that has its `clientMessageId` already, else stores it. */
  private async sendAlone(message: NewMessage): Promise<MessageView> {
    const stored = await this.findByClientMessageId(message);
    if (stored) return stored;
    try {
      const appended = await this.appender.appendAlone({ message, claim: null });
      return this.announce(message, appended ?? notFound('Chat'));
    } catch (error) {
      if (violatedConstraint(error) !== 'uq_messages_client_message_id') throw error;
      return (await this.findByClientMessageId(message)) ?? notFound('Message');
    }
  }

  private async findByClientMessageId(message: NewMessage): Promise<MessageView | null> {
    const { organizationId, sender, clientMessageId } = message;
    if (clientMessageId === null) return null;
    const row = await this.messages.findOneBy({ organizationId, senderId: sender.id ?? '', clientMessageId });
    return row && toMessageView(row);
  }
}

/** The 422 of a key that stands for another body. */
export function keyReused(): Problem {
  return new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another body');
}

function newMessage(
  organizationId: string,
  chatId: string,
  sender: Sender,
  { type = 'TEXT', content, metadata }: MessageBody,
  {
    clientMessageId,
    replyTo,
    traceparent,
  }: { clientMessageId?: string; replyTo?: ReplyTo; traceparent: string | null },
): NewMessage {
  return {
    organizationId,
    chatId,
    sender,
    type,
    content,
    id: newId('msg'),
    metadata: metadata ?? null,
    createdAt: new Date(),
    startedAt: performance.now(),
    traceparent,
    clientMessageId: clientMessageId ?? null,
    replyTo: replyTo ?? null,
  };
}
