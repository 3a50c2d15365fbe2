import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/request-context.js';
import { isOpen } from '../chats/chat-status.js';
import { Chat } from '../chats/chat.entity.js';
import { ChatsService } from '../chats/chats.service.js';
import { ChatTransitions } from '../chats/chat-transitions.service.js';
import { notFound, Problem } from '../platform/http/problem.js';
import { clientOf, transaction } from '../platform/database/transaction.js';
import { Group } from '../groups/group.entity.js';
import { type Idempotency, idempotency, keysExpireBefore, type Replayable } from '../messages/idempotency.js';
import { reserveKey, findKeptResult } from '../messages/idempotency.queries.js';
import { keyReused, MessagesService } from '../messages/messages.service.js';

export interface TransferRequest {
  chatId: string;
  /** Omitted: the default group. */
  targetGroupId?: string;
  reason?: string;
}

export interface TransferResult {
  chatId: string;
  newStatus: 'QUEUED';
  assignedTo: null;
  groupId: string;
}

/** Hands chats over to the agents of a group. */
@Injectable()
export class TransferService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly messages: MessagesService,
    private readonly transitions: ChatTransitions,
  ) {}

  /**
   * Queues a chat for a group, by default for the default group, in one transaction.
   * @throws Problem not_found for the chat or the group; conflict when the chat is closed or archived;
   *   idempotency_key_reused
   */
  async transfer(
    context: RequestContext,
    body: TransferRequest,
    key: string | null,
  ): Promise<Replayable<TransferResult>> {
    const asked = idempotency(key, 'transfer', [body.chatId, body.targetGroupId ?? null, body.reason ?? null]);
    return transaction(this.manager, (tx) => this.move(tx, context, body, asked));
  }

  // Locks the group's row before the chat's, in the order that deleting a group uses, so that the two cannot deadlock.
  private async move(
    tx: EntityManager,
    context: RequestContext,
    body: TransferRequest,
    asked: Idempotency | null,
  ): Promise<Replayable<TransferResult>> {
    const { organizationId } = context;
    const group = await findGroup(tx, organizationId, body.targetGroupId);
    const result = toResult(body.chatId, group?.id ?? '');
    const kept = asked && (await this.reserve(tx, context, asked, result));
    if (kept?.fingerprint.equals(asked!.fingerprint))
      return { result: kept.response as TransferResult, isReplay: true };
    const chat = await lockChat(tx, organizationId, body.chatId);
    if (!group) notFound('Group');
    if (kept) throw keyReused();
    if (!isOpen(chat.status)) throw new Problem('conflict', `The chat is ${chat.status}`);
    const isThere = chat.status === 'QUEUED' && chat.groupId === group.id;
    if (!isThere) await this.queue(tx, context, chat, group, body.reason);
    return { result, isReplay: false };
  }

  /** Returns null when this request has reserved the key, else the kept result of the key. */
  private async reserve(
    tx: EntityManager,
    { organizationId, actor }: RequestContext,
    asked: Idempotency,
    response: TransferResult,
  ) {
    const client = await clientOf(tx);
    const now = new Date();
    const expiredBefore = keysExpireBefore(now);
    const actorId = actor.id ?? '';
    if (await reserveKey(client, organizationId, actorId, asked, response, now, expiredBefore)) return null;
    return findKeptResult(client, organizationId, actorId, asked, expiredBefore);
  }

  private async queue(
    tx: EntityManager,
    context: RequestContext,
    chat: Chat,
    group: Group,
    reason?: string,
  ): Promise<void> {
    const { actor } = context;
    await this.transitions.queue(tx, context, chat.id, group.id);
    const content = `Chat transferred by ${actor.type.toLowerCase()}`;
    const where = { groupId: group.id, groupName: group.name };
    const metadata = { event: 'chat.transferred', ...where, ...(reason !== undefined && { reason }) };
    await this.messages.appendAsSystem(tx, context, chat.id, { content, metadata });
    const bot = actor.type === 'BOT' ? { id: actor.id, name: actor.name } : null;
    const transfer = { previousGroupId: chat.groupId, bot, reason: reason ?? null };
    await this.chats.queueEvent(tx, context, chat.id, 'chat.transferred', transfer);
  }
}

function toResult(chatId: string, groupId: string): TransferResult {
  return { chatId, newStatus: 'QUEUED', assignedTo: null, groupId };
}

// The default group may change while the first query waits for the row's lock; the second query finds the new one.
async function findGroup(tx: EntityManager, organizationId: string, id?: string): Promise<Group | null> {
  const lock = { mode: 'for_key_share' } as const;
  if (id !== undefined) return tx.findOne(Group, { where: { organizationId, id }, lock });
  const where = { organizationId, isDefault: true };
  return (await tx.findOne(Group, { where, lock })) ?? tx.findOne(Group, { where, lock });
}

async function lockChat(tx: EntityManager, organizationId: string, id: string): Promise<Chat> {
  const lock = { mode: 'for_no_key_update' } as const;
  return (await tx.findOne(Chat, { where: { organizationId, id }, lock })) ?? notFound('Chat');
}
