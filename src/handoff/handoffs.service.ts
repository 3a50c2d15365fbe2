import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import type { Named } from '../chats/chat-state.js';
import type { HandoffRequest, UnassignReason } from '../chats/chat-transitions.js';
import { type LockedChat, raiseRev, type RunningHandoff } from '../chats/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/chat-transitions.service.js';
import '../chats/chats.events.js';
import type { How } from '../chats/handoff.entity.js';
import { type Notice, SystemMessages } from '../messages/system-messages.service.js';
import { afterCommit } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import type { Availability } from './availability.js';
import { HandoffMetrics } from './handoff-metrics.js';
import { keepHandOver, replaceRequest } from './handoffs.queries.js';

/**
 * The transitions that the visitor is told of (CONTRACT section 8): each queues its event and stores its system message, in
 * the transaction of `tx`, for a chat that is locked.
 */
@Injectable()
export class HandoffsService {
  constructor(
    private readonly transitions: ChatTransitions,
    private readonly systemMessages: SystemMessages,
    private readonly metrics: HandoffMetrics,
    private readonly events: DomainEventBus,
  ) {}

  /** Makes the chat wait for an agent of a group. */
  queue(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    group: Named,
    request: Omit<HandoffRequest, 'groupId'> = {},
  ): Promise<RunningHandoff> {
    const { reason } = request;
    const notice = {
      content: context.actor.type === 'BOT' ? 'Chat transferred by bot' : 'Chat transferred',
      metadata: {
        event: 'chat.transferred',
        groupId: group.id,
        groupName: group.name,
        ...(reason != null && { reason }),
      },
    };
    return this.tell(tx, context, chat, notice, (next) =>
      this.transitions.queue(tx, context, chat, { ...request, groupId: group.id }, next),
    );
  }

  /**
   * Replaces the request of a chat that waits already, as far as a new one says something: the chat keeps its place. Agents see it
   * at once; the visitor and the webhooks learn nothing, because the chat didn't move.
   */
  async queueAgain(
    tx: EntityManager,
    { organizationId }: RequestContext,
    { id, handoff }: LockedChat,
    request: Omit<HandoffRequest, 'groupId'>,
  ): Promise<RunningHandoff | null> {
    const changed = handoff && (await replaceRequest(tx, organizationId, handoff.id, request));
    if (!changed) return handoff;
    await this.announce(tx, organizationId, id);
    return { ...handoff, ...changed };
  }

  /** Keeps what an agent should know of a chat that the agent got without waiting, or has already. @param text null: nothing */
  async keepNote(
    tx: EntityManager,
    { organizationId, actor }: RequestContext,
    chat: LockedChat,
    toAgentId: string,
    text: string | null,
  ): Promise<void> {
    await keepHandOver(tx, organizationId, chat, toAgentId, actor, text);
    if (chat.agentId === toAgentId) await this.announce(tx, organizationId, chat.id);
  }

  private async announce(tx: EntityManager, organizationId: string, chatId: string): Promise<void> {
    await raiseRev(tx, organizationId, chatId);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }

  /** Gives an open chat to an agent. */
  assign(tx: EntityManager, context: RequestContext, chat: LockedChat, agent: Named, how: How): Promise<void> {
    const { status, queuedAt, now } = chat;
    if (status === 'QUEUED' && queuedAt) {
      afterCommit(tx, () => this.metrics.onAssigned(how, now.getTime() - queuedAt.getTime()));
    }
    const metadata = { event: 'chat.assigned', agentId: agent.id, agentName: agent.name };
    return this.tell(tx, context, chat, { content: `${agent.name} joined the chat`, metadata }, (next) =>
      this.transitions.assign(tx, context, chat, agent, how, next),
    );
  }

  /** Takes the chat from its agent, and queues it in its group. */
  async unassign(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    agent: Named,
    reason: UnassignReason,
  ): Promise<void> {
    const content = `${agent.name} left; somebody else will take over`;
    const metadata = { event: 'chat.unassigned', agentName: agent.name };
    await this.tell(tx, context, chat, { content, metadata }, (next) =>
      this.transitions.unassign(tx, context, chat, agent, reason, next),
    );
  }

  /** Gives an open chat to the bots. @param note what an agent tells the bot; the visitor does not see it */
  returnToBot(tx: EntityManager, context: RequestContext, chat: LockedChat, note: string | null): Promise<void> {
    const notice = { content: 'The chat continues with the bot', metadata: { event: 'chat.returned' } };
    return this.tell(tx, context, chat, notice, (next) => this.transitions.returnToBot(tx, context, chat, note, next));
  }

  /** Notes that no agent took the chat in time. Only a chat that returns to the bots tells its visitor. */
  unanswered(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    availability: Availability,
    isReturned: boolean,
  ): Promise<void> {
    const outcome = { availability, isReturned };
    if (!isReturned) return this.transitions.unanswered(tx, context, chat, outcome);
    const notice = { content: 'Nobody is free right now', metadata: { event: 'chat.unanswered' } };
    return this.tell(tx, context, chat, notice, (next) =>
      this.transitions.unanswered(tx, context, chat, outcome, next),
    );
  }

  private async tell<T>(
    tx: EntityManager,
    context: RequestContext,
    { id }: LockedChat,
    notice: Notice,
    change: (next: { at: Date }) => Promise<T>,
  ): Promise<T> {
    const at = new Date();
    const result = await change({ at });
    await this.systemMessages.append(tx, context, id, notice, at);
    return result;
  }
}
