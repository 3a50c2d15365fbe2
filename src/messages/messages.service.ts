import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { EntityManager, Repository } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { isOpen } from '../chats/model/chat-status.js';
import { checkOwnerLocked, notAssigned, requiredOwner } from '../chats/moves/chat-problems.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ChatsService } from '../chats/reading/chats.service.js';
import { ReadsService } from '../chats/reading/reads.service.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import type { QueueRunner } from '../platform/lib/fair-queue.js';
import { notFound, overloaded, Problem, unavailable } from '../platform/errors/problem.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import type { Append, NewMessage } from './append.queries.js';
import { AppenderService } from './appender.service.js';
import { ClosingService } from './closing.service.js';
import {
  type Idempotency,
  idempotency,
  keyReused,
  keysExpireBefore,
  type Replayable,
} from '../idempotency/idempotency.js';
import { findStoredResult } from '../idempotency/idempotency.queries.js';
import {
  MAX_MESSAGES,
  type MessageBody,
  type MessagePage,
  type MessageView,
  type ReplyTo,
  senderOf,
} from './message.js';
import { FileLinks } from '../files/file-links.js';
import { requirePicture, useFiles } from '../files/used-files.js';
import type { UploaderType } from '../files/file.js';
import { Message } from './message.entity.js';
import { type MessageRow, toMessageView } from './message-view.js';
import {
  findSent,
  type Missing,
  readDeleted,
  readLastMessages,
  readMessages,
  readMissing,
} from './messages.queries.js';
import { newMessage } from './new-message.js';
import { clientMessageIdOf, ChoicesService } from './choices.service.js';

/** The response to a bot that sent a message. */
export interface SentMessage {
  id: string;
  status: 'sent';
}

/** The most waiting messages from visitors. More are refused, so that bots' messages have room. */
const MAX_WAITING_OF_VISITORS = 1_024;

/** A visitor's message. */
export type VisitorMessage = MessageBody & { clientMessageId?: string; replyTo?: ReplyTo };

/** Sends messages into chats, and reads them. */
@Injectable()
export class MessagesService {
  private ofVisitors = 0;

  constructor(
    @InjectRepository(Message) private readonly messages: Repository<Message>,
    @Inject(POOL) private readonly pool: Pool,
    private readonly appender: AppenderService,
    private readonly choices: ChoicesService,
    private readonly chats: ChatsService,
    private readonly transitions: ChatTransitions,
    private readonly closing: ClosingService,
    private readonly reads: ReadsService,
    private readonly links: FileLinks,
  ) {}

  private readonly toView = (row: MessageRow) => toMessageView(row, this.links);

  /**
   * Sends a bot's message. With a key, a retry within 24 h returns the first result and changes nothing. An ended chat is reopened
   * for the bots.
   * @param body with `ifOwner`, the message is stored only while the bot has the chat, as with the bot's `onlyOwnChats`
   * @throws Problem not_found, not_owner, idempotency_key_reused
   */
  async send(
    context: RequestContext,
    body: MessageBody & { chatId: string; ifOwner?: 'BOT' },
    key: string | null,
  ): Promise<Replayable<SentMessage>> {
    const options = { requiredOwner: requiredOwner(context, body.ifOwner) };
    const message = newMessage(context, body.chatId, senderOf(context), body, options);
    const asked = idempotency(key, 'messages', meaningOf(message, body.ifOwner));
    const result: SentMessage = { id: message.id, status: 'sent' };
    if (!asked) await this.store(context, message);
    const kept = asked && (await this.storeOnce(context, message, asked, result));
    return kept ? { result: kept as SentMessage, isReplay: true } : { result, isReplay: false };
  }

  /**
   * Sends a visitor's message. A retry with the same `clientMessageId` is the same message. The answer to a choice gets a
   * `clientMessageId` derived from that choice, so that a double click is one message. It is stored under its chat's lock, only
   * while the choices are open.
   * @param run runs each query outside of the shared statement in the visitor's turn
   * @throws Problem not_found; validation_failed for an unknown choice; offer_over; unavailable if too many messages wait
   */
  async sendFromVisitor(
    context: RequestContext,
    chatId: string,
    body: VisitorMessage,
    run: QueueRunner,
  ): Promise<MessageView> {
    if (this.ofVisitors >= MAX_WAITING_OF_VISITORS)
      throw overloaded(`${MAX_WAITING_OF_VISITORS} messages of visitors wait`);
    const { replyTo, clientMessageId = replyTo && clientMessageIdOf(replyTo) } = body;
    if (replyTo) await run(() => this.choices.check(context.organizationId, chatId, replyTo, body.metadata));
    const message = newMessage(context, chatId, senderOf(context), body, { clientMessageId, replyTo });
    this.ofVisitors++;
    try {
      return await (replyTo ? run(() => this.storeAlone(context, message)) : this.store(context, message, run));
    } finally {
      this.ofVisitors--;
    }
  }

  /**
   * Stores a visitor's message that arrived over another channel, in the transaction `tx`. An ended chat is reopened.
   * @throws Problem not_found; validation_failed at `/files/{index}`
   */
  async storeFromVisitor(
    tx: EntityManager,
    context: RequestContext,
    chatId: string,
    body: MessageBody,
  ): Promise<MessageView> {
    const message = newMessage(context, chatId, senderOf(context), body);
    return (await this.storeIn(tx, context, { message, reservation: null })) ?? notFound('Chat');
  }

  /**
   * Sends an agent's message into the agent's chat, or into an ended one, which becomes the agent's. A retry with the same
   * `clientMessageId` is the same message, even after the chat went to someone else. It marks everything up to it as read by the
   * agents.
   * @throws Problem not_found; not_assigned if someone else has the chat
   */
  async sendFromAgent(
    context: RequestContext,
    chatId: string,
    body: MessageBody & { clientMessageId?: string },
  ): Promise<MessageView> {
    const { clientMessageId } = body;
    const message = newMessage(context, chatId, senderOf(context), body, { clientMessageId });
    const stored = await this.store(context, message);
    await this.reads.markWritten(context.organizationId, stored.chatId, stored.seq);
    return stored;
  }

  /** The agent's message with this `clientMessageId` in the chat; null if there's none. */
  async findSentByAgent(
    { organizationId, actor }: RequestContext,
    chatId: string,
    clientMessageId: string | undefined,
  ): Promise<MessageView | null> {
    const row = clientMessageId && (await findSent(this.pool, organizationId, actor.id ?? '', clientMessageId));
    return row && row.chatId === chatId ? this.toView(row) : null;
  }

  /** Messages after a `seq`, in order, with the chat's highest, and addresses of files for bots. @throws Problem not_found */
  async list(
    organizationId: string,
    chatId: string,
    { afterSeq, limit }: { afterSeq: number; limit: number },
  ): Promise<MessagePage> {
    const { messageCount } = await this.chats.get(organizationId, chatId);
    const page = await this.readAfter(organizationId, chatId, messageCount, afterSeq, limit);
    for (const message of page.messages)
      if (message.files) message.files = message.files.map((file) => this.links.ofBots(file));
    return page;
  }

  /**
   * Reads a chat's messages after `afterSeq`: at most `limit`, and about 1 MB. `latestSeq` is the chat's highest `seq`; `hasMore`
   * says whether more messages follow.
   */
  async readAfter(
    organizationId: string,
    chatId: string,
    latestSeq: number,
    afterSeq: number,
    limit: number = MAX_MESSAGES,
  ): Promise<MessagePage> {
    const lastSeq = Math.min(latestSeq, afterSeq + limit);
    const range = { organizationId, chatId, firstSeq: afterSeq + 1, lastSeq };
    const rows = lastSeq > afterSeq ? await readMessages(this.pool, range) : [];
    const last = rows.at(-1);
    return { messages: rows.map(this.toView), latestSeq, hasMore: last !== undefined && last.seq < latestSeq };
  }

  /** The same backwards: the messages before `beforeSeq`, in order. `hasMore` says whether earlier ones exist. */
  async readBefore(
    organizationId: string,
    chatId: string,
    latestSeq: number,
    beforeSeq: number,
    limit: number = MAX_MESSAGES,
  ): Promise<MessagePage> {
    const lastSeq = Math.min(latestSeq, beforeSeq - 1);
    const range = { organizationId, chatId, firstSeq: Math.max(1, lastSeq - limit + 1), lastSeq };
    const rows = lastSeq > 0 ? await readLastMessages(this.pool, range) : [];
    const [first] = rows;
    return { messages: rows.map(this.toView), latestSeq, hasMore: first !== undefined && first.seq > 1 };
  }

  /**
   * The deleted messages among the last 200 that a client has, because it may have missed their deletion; up to 100.
   * @param lastSeq the last message that it has; 0: none
   */
  async readDeleted(organizationId: string, chatId: string, lastSeq: number): Promise<MessageView[]> {
    return lastSeq > 0 ? (await readDeleted(this.pool, organizationId, chatId, lastSeq)).map(this.toView) : [];
  }

  /** Reads missing messages of several chats in one query, each in order, up to about 1 MB. */
  async readMissing(chats: readonly Missing[]): Promise<MessageView[]> {
    return (await readMissing(this.pool, chats)).map(this.toView);
  }

  private async store(
    context: RequestContext,
    message: NewMessage,
    run: QueueRunner = (work) => work(),
  ): Promise<MessageView> {
    const stored = message.fileIds ? null : await this.appender.append({ message, reservation: null });
    return stored ?? run(() => this.storeAlone(context, message));
  }

  /** Returns the stored result of an earlier request; null if this one stored the message. */
  private async storeOnce(
    context: RequestContext,
    message: NewMessage,
    asked: Idempotency,
    response: object,
  ): Promise<object | null> {
    const expiredBefore = keysExpireBefore(message.createdAt);
    const append: Append = { message, reservation: { ...asked, response } };
    const { organizationId, chatId, sender } = message;
    if (message.fileIds) return this.storeFilesOnce(context, append, asked);
    for (let attempt = 0; attempt < 3; attempt++) {
      const stored = await (attempt === 0 ? this.appender.append(append) : this.appender.appendAlone(append));
      if (stored) return null;
      const kept = await findStoredResult(this.pool, organizationId, sender.id ?? '', asked, expiredBefore);
      if (kept?.fingerprint.equals(asked.fingerprint)) return kept.response;
      await this.chats.getForMessages(organizationId, chatId);
      if (kept) throw keyReused();
      if (attempt > 0 && (await this.storeLocked(context, append))) return null;
    }
    throw unavailable('Another request with this Idempotency-Key is still running; retry');
  }

  // The same for a message with files, which its chat's lock stores. A retry is recognized before its files are checked.
  private async storeFilesOnce(context: RequestContext, append: Append, asked: Idempotency): Promise<object | null> {
    const { organizationId, chatId, sender, createdAt } = append.message;
    const find = () => findStoredResult(this.pool, organizationId, sender.id ?? '', asked, keysExpireBefore(createdAt));
    let kept = await find();
    if (!kept) {
      try {
        if (await this.storeLocked(context, append)) return null;
        kept = await find();
      } catch (error) {
        // The same request may have taken the files at the same time.
        kept = error instanceof Problem && error.code === 'validation_failed' ? await find() : null;
        if (!kept) throw error;
      }
    }
    if (kept?.fingerprint.equals(asked.fingerprint)) return kept.response;
    await this.chats.getForMessages(organizationId, chatId);
    throw kept ? keyReused() : unavailable('Another request with this Idempotency-Key is still running; retry');
  }

  /** Returns the existing message with this `clientMessageId`, or stores this one. */
  private async storeAlone(context: RequestContext, message: NewMessage): Promise<MessageView> {
    const append = { message, reservation: null };
    const stored = await this.findByClientMessageId(message);
    if (stored) return stored;
    try {
      const appended = message.replyTo || message.fileIds ? null : await this.appender.appendAlone(append);
      return appended ?? (await this.storeLocked(context, append)) ?? notFound('Chat');
    } catch (error) {
      // The same message was stored concurrently: the first click of a double click has ended the choices.
      const isOver = error instanceof Problem && (error.code === 'offer_over' || isOfFiles(error, message));
      if (!isOver && violatedConstraint(error) !== 'uq_messages_client_message_id') throw error;
      const first = await this.findByClientMessageId(message);
      if (!first && isOver) throw error;
      return first ?? notFound('Message');
    }
  }

  /**
   * Stores a message that the statement refused, or can't judge alone, under the chat's lock: reopens an ended chat, or finds out
   * why it was refused. Returns null, and changes nothing, if the idempotency key is taken.
   * @throws Problem not_found, not_owner, not_assigned, offer_over
   */
  private async storeLocked(context: RequestContext, append: Append): Promise<MessageView | null> {
    try {
      return await transaction(this.messages.manager, async (tx) => {
        const stored = await this.storeIn(tx, context, append);
        if (!stored) throw new KeyTaken();
        return stored;
      });
    } catch (error) {
      if (error instanceof KeyTaken) return null;
      throw error;
    }
  }

  private async storeIn(tx: EntityManager, context: RequestContext, append: Append): Promise<MessageView | null> {
    const { message } = append;
    const { chat, hasBot } = await this.transitions.lockExistingWithBot(tx, context, message.chatId);
    await this.checkAccepted(tx, message, chat);
    const next = { at: message.createdAt, isResponse: message.sender.type !== 'VISITOR' };
    if (!isOpen(chat.status)) await this.closing.reopen(tx, context, chat, hasBot, next);
    await this.useFiles(tx, message);
    return this.appender.appendIn(tx, append);
  }

  private async checkAccepted(tx: EntityManager, message: NewMessage, chat: LockedChat): Promise<void> {
    const { sender } = message;
    if (sender.type === 'VISITOR' && sender.id !== chat.visitorId) notFound('Chat');
    await checkOwnerLocked(tx, message.requiredOwner ?? null, message.organizationId, chat, sender);
    if (sender.type === 'AGENT' && isOpen(chat.status) && chat.agentId !== sender.id) {
      throw await notAssigned(tx, message.organizationId, chat);
    }
    if (message.replyTo) await this.choices.checkOpen(tx, message.organizationId, chat.id, message.replyTo);
  }

  private async useFiles(tx: EntityManager, message: NewMessage): Promise<void> {
    const { organizationId, chatId, sender, fileIds, id, type } = message;
    if (!fileIds) return;
    const from = { organizationId, type: sender.type as UploaderType, id: sender.id ?? '' };
    message.files = await useFiles(tx, from, chatId, fileIds, id);
    if (type === 'IMAGE') requirePicture(message.files);
  }

  private async findByClientMessageId(message: NewMessage): Promise<MessageView | null> {
    const { organizationId, sender, clientMessageId } = message;
    if (clientMessageId === null) return null;
    const row = await findSent(this.pool, organizationId, sender.id ?? '', clientMessageId);
    return row && this.toView(row);
  }
}

/** The idempotency key of a message is taken. */
class KeyTaken extends Error {}

/**
 * The request's meaning. `ifOwner` is part of it only if given, because older requests didn't have it. The bot's setting isn't part of it:
 * a retry is the same request.
 */
function meaningOf({ chatId, type, content, metadata, fileIds }: NewMessage, ifOwner?: 'BOT'): unknown[] {
  const more = [...(ifOwner === undefined ? [] : [ifOwner]), ...(fileIds ? [{ files: fileIds }] : [])];
  return [chatId, type, content, metadata ?? {}, ...more];
}

/** Whether the files of a message were refused: its first try may have them. */
function isOfFiles(error: Problem, { fileIds }: NewMessage): boolean {
  return fileIds != null && error.code === 'validation_failed';
}
