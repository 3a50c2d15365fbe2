import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/request-context.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { notFound, Problem } from '../platform/http/problem.js';
import type { ChatStatus } from './chat-status.js';
import { Chat } from './chat.entity.js';
import { queueChatEvent } from './chat-events.queries.js';
import { changeChat, type Transition } from './chat-transitions.queries.js';
import './chats.events.js';

/**
 * The transitions of a chat (CONTRACT section 2). Besides this class, only three operations write a chat's status,
 * agent or group, with SQL of chat-transitions.queries.ts: storing a message, removing groups and agents, and erasing.
 * Each transition runs in the transaction of `tx` and is announced after the commit. It returns false, and changes
 * nothing, when the chat is already in the new state.
 * @throws Problem not_found; conflict for a chat whose visitor was erased
 */
@Injectable()
export class ChatTransitions {
  constructor(private readonly events: DomainEventBus) {}

  /** Makes the chat wait for an agent of the group; without `groupId`, of the chat's own group. */
  queue(tx: EntityManager, context: RequestContext, id: string, groupId?: string): Promise<boolean> {
    return this.change(tx, context, id, { status: 'QUEUED', agentId: null, groupId });
  }

  /** Gives an open chat to an agent. @throws Problem conflict for a chat that has ended */
  async assign(tx: EntityManager, context: RequestContext, id: string, agentId: string): Promise<boolean> {
    const { status } = await lock(tx, context.organizationId, id);
    if (status === 'CLOSED' || status === 'ARCHIVED') throw new Problem('conflict', `The chat is ${status}`);
    return this.change(tx, context, id, { status: 'ACTIVE', agentId });
  }

  /** Takes the chat from its agent and queues it. Returns false for a chat without an agent. */
  async unassign(tx: EntityManager, context: RequestContext, id: string): Promise<boolean> {
    const { agentId } = await lock(tx, context.organizationId, id);
    return agentId !== null && this.queue(tx, context, id);
  }

  /** Ends the chat, and queues `chat.closed` for the webhooks. */
  async close(tx: EntityManager, context: RequestContext, id: string): Promise<boolean> {
    const hasClosed = await this.change(tx, context, id, { status: 'CLOSED', agentId: null });
    if (!hasClosed) return false;
    const { organizationId, traceparent } = context;
    const lanes = await queueChatEvent(tx, organizationId, id, 'chat.closed', traceparent);
    if (lanes) this.events.emit('deliveries.queued', { lanes }, tx);
    return true;
  }

  /** Archives the chat. */
  archive(tx: EntityManager, context: RequestContext, id: string): Promise<boolean> {
    return this.change(tx, context, id, { status: 'ARCHIVED', agentId: null });
  }

  /** Makes the chat ACTIVE without an agent; a chat that is already ACTIVE keeps its agent. */
  async reopen(tx: EntityManager, context: RequestContext, id: string): Promise<boolean> {
    const { agentId } = await lock(tx, context.organizationId, id);
    return this.change(tx, context, id, { status: 'ACTIVE', agentId });
  }

  private async change(
    tx: EntityManager,
    { organizationId }: RequestContext,
    id: string,
    to: Transition,
  ): Promise<boolean> {
    if (await changeChat(tx, organizationId, id, to)) {
      this.events.emit('chat.changed', { organizationId, chatId: id }, tx);
      return true;
    }
    const chat = (await tx.findOneBy(Chat, { organizationId, id })) ?? notFound('Chat');
    if (chat.erasedAt) throw new Problem('conflict', 'The visitor was erased');
    return false;
  }
}

async function lock(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<{ status: ChatStatus; agentId: string | null }> {
  const where = { organizationId, id };
  return (await tx.findOne(Chat, { where, lock: { mode: 'for_no_key_update' } })) ?? notFound('Chat');
}
