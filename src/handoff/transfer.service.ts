import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { BotIdentity } from '../auth/access-tokens.queries.js';
import { isOpen } from '../chats/chat-status.js';
import { Chat } from '../chats/chat.entity.js';
import { ChatsService } from '../chats/chats.service.js';
import { ChatTransitions } from '../chats/chat-transitions.service.js';
import { notFound, Problem } from '../platform/http/problem.js';
import { afterCommit, clientOf, transaction } from '../platform/database/transaction.js';
import { Group } from '../groups/group.entity.js';
import { type Idempotency, idempotency, keysExpireBefore, type Replayable } from '../messages/idempotency.js';
import { claimKey, findKeptResult } from '../messages/idempotency.queries.js';
import { keyReused, MessagesService } from '../messages/messages.service.js';

const CONTENT = 'Chat transferred by bot';

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

/** Hands a chat to the people of a group. */
@Injectable()
export class TransferService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly messages: MessagesService,
    private readonly transitions: ChatTransitions,
  ) {}

  /**
   * Queues a chat for a group, the default one without `targetGroupId`; one transaction.
   * @throws Problem not_found for the chat or the group; conflict when the chat is closed or archived;
   *   idempotency_key_reused
   */
  async transfer(
    bot: BotIdentity,
    body: TransferRequest,
    key: string | null,
    traceparent: string | null,
  ): Promise<Replayable<TransferResult>> {
    const asked = idempotency(key, 'transfer', [body.chatId, body.targetGroupId ?? null, body.reason ?? null]);
    return transaction(this.manager, (tx) => this.move(tx, bot, body, asked, traceparent));
  }

  // The group's row is locked before the chat's, as when a group is deleted.
  private async move(
    tx: EntityManager,
    bot: BotIdentity,
    body: TransferRequest,
    asked: Idempotency | null,
    traceparent: string | null,
  ): Promise<Replayable<TransferResult>> {
    const group = await findGroup(tx, bot.organizationId, body.targetGroupId);
    const result = toResult(body.chatId, group?.id ?? '');
    const kept = asked && (await this.claim(tx, bot, asked, result));
    if (kept?.fingerprint.equals(asked!.fingerprint))
      return { result: kept.response as TransferResult, isReplay: true };
    const chat = await lockChat(tx, bot.organizationId, body.chatId);
    if (!group) notFound('Group');
    if (kept) throw keyReused();
    if (!isOpen(chat.status)) throw new Problem('conflict', `The chat is ${chat.status}`);
    const isThere = chat.status === 'QUEUED' && chat.groupId === group.id;
    if (!isThere) await this.queue(tx, bot, chat, group, { reason: body.reason, traceparent });
    return { result, isReplay: false };
  }

  private async claim(tx: EntityManager, bot: BotIdentity, asked: Idempotency, response: TransferResult) {
    const client = await clientOf(tx);
    const now = new Date();
    const expiredBefore = keysExpireBefore(now);
    const { organizationId, botId } = bot;
    if (await claimKey(client, organizationId, botId, asked, response, now, expiredBefore)) return null;
    return findKeptResult(client, organizationId, botId, asked, expiredBefore);
  }

  private async queue(
    tx: EntityManager,
    bot: BotIdentity,
    chat: Chat,
    group: Group,
    { reason, traceparent }: { reason?: string; traceparent: string | null },
  ): Promise<void> {
    const { organizationId, id } = chat;
    await this.transitions.queue(tx, organizationId, id, group.id);
    const metadata = {
      event: 'chat.transferred',
      groupId: group.id,
      groupName: group.name,
      ...(reason !== undefined && { reason }),
    };
    const client = await clientOf(tx);
    const content = { content: CONTENT, metadata };
    const stored = await this.messages.appendAsSystem(client, organizationId, id, content, traceparent);
    afterCommit(tx, () => this.messages.announce(stored.message, stored.appended));
    const transfer = { previousGroupId: chat.groupId, bot: { id: bot.botId, name: bot.name }, reason: reason ?? null };
    await this.chats.queueEvent(tx, organizationId, id, 'chat.transferred', traceparent, transfer);
  }
}

function toResult(chatId: string, groupId: string): TransferResult {
  return { chatId, newStatus: 'QUEUED', assignedTo: null, groupId };
}

// A default group that stops being it while we wait for its row is not found; the next look finds its successor.
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
