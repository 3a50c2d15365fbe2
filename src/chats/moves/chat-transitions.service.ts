import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { findAgentName } from '../../agents/agents.queries.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { lockAnyBot } from '../../bots/bots.queries.js';
import type { EventType } from '../../receivers/event-type.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { newId } from '../../platform/lib/ids.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { ChatOffers } from './chat-offers.service.js';
import { queueChatEvent, type NextMessage } from '../reading/chat-events.queries.js';
import { isOpen, type Owner } from '../model/chat-status.js';
import type { Named } from '../reading/chat-state.js';
import {
  addLoad,
  beginHandoff,
  type ChangedChat,
  changeChat,
  type HandoffEnd,
  keepBotNote,
  keepFirstReply,
  type LoadChange,
  lockChat,
  type LockedChat,
  type RunningHandoff,
  sumByAgent,
} from './chat-transitions.queries.js';
import { type EndedHandoff, resumeHandoff } from './ended-chats.queries.js';
import '../model/chats.events.js';
import type { HandoffRequest, UnassignReason, How } from '../model/handoff.entity.js';

/**
 * Who has a chat after it's reopened. A given hand-off continues: the chat keeps its place in the queue. `since`: since when its visitor
 * has waited for an agent.
 */
export type ReopenedChat =
  | { owner: 'BOT' }
  | { owner: 'AGENT'; agent: Named; since?: Date | null }
  | { owner: 'QUEUE'; handoff?: EndedHandoff; since?: Date | null };

/**
 * A chat's transitions (CONTRACT: Who has a chat), which decide who has it. Besides this class, only removing groups and erasing
 * change a chat's status, agent or group. Each transition takes a chat that `lock` has locked, in the transaction of `tx`. It ends
 * the current hand-off and offer, updates the agents' load, and queues the webhook event. The change is announced after the
 * commit. `next` describes the messages that the caller stores afterwards in the same transaction.
 */
@Injectable()
export class ChatTransitions {
  constructor(
    private readonly offers: ChatOffers,
    private readonly events: DomainEventBus,
  ) {}

  /** Locks a chat until the end of the transaction. @throws Problem not_found; conflict for a chat whose visitor was erased */
  async lock(tx: EntityManager, { organizationId, actor }: RequestContext, id: string): Promise<LockedChat> {
    const chat = (await lockChat(tx, organizationId, id, actor.id)) ?? notFound('Chat');
    if (chat.erasedAt)
      throw new Problem('conflict', 'The visitor of this chat was erased, so the chat can no longer change');
    return chat;
  }

  /** The same for messages and agents, where a chat with an erased visitor is a 404. @throws Problem not_found */
  async lockExisting(tx: EntityManager, { organizationId, actor }: RequestContext, id: string): Promise<LockedChat> {
    const chat = await lockChat(tx, organizationId, id, actor.id);
    return chat && !chat.erasedAt ? chat : notFound('Chat');
  }

  /** Also returns whether the organization has a bot, which can't be removed until the end of the transaction. */
  async lockWithBot(
    tx: EntityManager,
    context: RequestContext,
    id: string,
  ): Promise<{ chat: LockedChat; hasBot: boolean }> {
    const hasBot = await lockAnyBot(tx, context.organizationId);
    return { chat: await this.lock(tx, context, id), hasBot };
  }

  /** `lockExisting` and `lockWithBot` combined. @throws Problem not_found */
  async lockExistingWithBot(
    tx: EntityManager,
    context: RequestContext,
    id: string,
  ): Promise<{ chat: LockedChat; hasBot: boolean }> {
    const hasBot = await lockAnyBot(tx, context.organizationId);
    return { chat: await this.lockExisting(tx, context, id), hasBot };
  }

  /** Queues the chat for a group's agents. Returns its hand-off. @param resumed the hand-off that continues; otherwise a new one begins */
  async queue(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    request: HandoffRequest,
    next?: NextMessage,
    resumed?: EndedHandoff,
  ): Promise<RunningHandoff> {
    const previousAgent = await this.findAgent(tx, context, chat.agentId);
    const handoff = await this.enqueue(tx, context, chat, request, { resumed });
    const { actor } = context;
    await this.queueEvent(tx, context, chat.id, 'chat.transferred', next, {
      previousGroupId: chat.groupId,
      bot: actor.type === 'BOT' ? { id: actor.id, name: actor.name } : null,
      // An agent's text for the next agent is in no event.
      reason: request.reason ?? null,
      by: actor,
      handoffId: handoff.id,
      previousAgent,
    });
    return handoff;
  }

  /** Takes the chat from its agent, and queues it for its group. A snoozed chat waits since the visitor's unanswered message. */
  async unassign(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    agent: Named,
    reason: UnassignReason,
    next?: NextMessage,
  ): Promise<void> {
    const since = chat.isSnoozed ? chat.waitingSince : null;
    await this.enqueue(tx, context, chat, { groupId: chat.groupId }, { since });
    await this.queueEvent(tx, context, chat.id, 'chat.unassigned', next, { agent, reason });
  }

  /** Assigns an open chat to an agent. @param groupId the group that it moves to, if not its own */
  async assign(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    { agent, how, groupId = chat.groupId }: { agent: Named; how: How; groupId?: string },
    next?: NextMessage,
  ): Promise<void> {
    const previousAgent = await this.findAgent(tx, context, chat.agentId);
    const { queuedAt, now } = chat;
    const end: HandoffEnd = { outcome: 'ASSIGNED', how, agentId: agent.id };
    const waitsSince = keepsWaiting(chat) ? queuedAt : null;
    await this.change(tx, context, chat, { status: 'ACTIVE', agentId: agent.id, groupId, queuedAt: waitsSince }, end);
    const waited = chat.status === 'QUEUED' && queuedAt ? now.getTime() - queuedAt.getTime() : 0;
    await this.queueEvent(tx, context, chat.id, 'chat.assigned', next, {
      agent: { id: agent.id, name: agent.name },
      how,
      waitedSeconds: Math.max(0, Math.floor(waited / 1000)),
      previousAgent,
      ...(how === 'ASSIGNED' && { by: context.actor }),
    });
  }

  /** Returns an open chat to the bots. `note`: for the bot. `group`: the group that it moves to, if not its own */
  async returnToBot(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    { note, reason, group }: { note: string | null; reason?: string; group?: Named },
    next?: NextMessage,
  ): Promise<void> {
    await this.giveToBot(tx, context, chat, note, group?.id);
    const passed = group && { previousGroupId: chat.groupId, reason: reason ?? null };
    await this.queueEvent(tx, context, chat.id, 'chat.returned', next, { by: context.actor, note, ...passed });
  }

  /** Marks a waiting chat that no agent took in time. With `isReturned`, it returns to the bots. */
  async unanswered(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    { availability, isReturned }: { availability: string; isReturned: boolean },
    next?: NextMessage,
  ): Promise<void> {
    const { handoff, now } = chat;
    if (!handoff) return;
    if (isReturned) await this.giveToBot(tx, context, chat, null);
    else this.events.emit('chat.changed', { organizationId: context.organizationId, chatId: chat.id }, tx);
    await this.queueEvent(tx, context, chat.id, 'chat.unanswered', next, {
      handoffId: handoff.id,
      waitedSeconds: Math.max(0, Math.floor((now.getTime() - handoff.queuedAt.getTime()) / 1000)),
      availability,
      // oxlint-disable-next-line unicorn/no-thenable -- the contract's name; the object becomes JSON
      then: isReturned ? 'RETURNED_TO_BOT' : 'KEPT',
    });
  }

  /** Closes an open chat, and queues `chat.closed`. An ended chat becomes CLOSED without an event. */
  async close(tx: EntityManager, context: RequestContext, chat: LockedChat, next?: NextMessage): Promise<void> {
    await this.finish(tx, context, chat, 'CLOSED');
    if (isOpen(chat.status)) {
      await this.queueEvent(tx, context, chat.id, 'chat.closed', next, { by: context.actor });
    }
  }

  /** Archives the chat, without an event. */
  archive(tx: EntityManager, context: RequestContext, chat: LockedChat): Promise<void> {
    return this.finish(tx, context, chat, 'ARCHIVED');
  }

  /** Reopens an ended chat. Returns the new owner. */
  async reopen(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    to: ReopenedChat,
    next?: NextMessage,
  ): Promise<Owner> {
    const { groupId } = chat;
    const agent = to.owner === 'AGENT' ? to.agent : null;
    if (to.owner === 'QUEUE') {
      await this.enqueue(tx, context, chat, { groupId }, { resumed: to.handoff, since: to.since });
    } else {
      const queuedAt = to.owner === 'AGENT' ? (to.since ?? null) : null;
      await this.change(tx, context, chat, { status: 'ACTIVE', agentId: agent?.id ?? null, groupId, queuedAt });
    }
    await this.queueEvent(tx, context, chat.id, 'chat.reopened', next, { by: context.actor, owner: to.owner, agent });
    return to.owner;
  }

  private async giveToBot(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    note: string | null,
    groupId = chat.groupId,
  ): Promise<void> {
    const to: ChangedChat = { status: 'ACTIVE', agentId: null, groupId, queuedAt: null };
    await this.change(tx, context, chat, to, { outcome: 'RETURNED', note });
    if (note !== null) await keepBotNote(tx, context.organizationId, chat, { by: context.actor.name, text: note });
  }

  private finish(tx: EntityManager, context: RequestContext, chat: LockedChat, status: 'CLOSED' | 'ARCHIVED') {
    const { groupId } = chat;
    const queuedAt = keepsWaiting(chat) || !isOpen(chat.status) ? chat.queuedAt : null;
    return this.change(tx, context, chat, { status, agentId: null, groupId, queuedAt }, { outcome: 'CLOSED' });
  }

  private async enqueue(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    {
      groupId,
      reason = null,
      summary = null,
      cause = null,
      maxWaitSeconds = null,
      onUnanswered = null,
    }: HandoffRequest,
    { since = null, resumed }: { since?: Date | null; resumed?: EndedHandoff } = {},
  ): Promise<RunningHandoff> {
    const { organizationId, actor } = context;
    const queuedAt = resumed?.queuedAt ?? ((keepsWaiting(chat) && chat.queuedAt) || (since ?? chat.now));
    await this.change(tx, context, chat, { status: 'QUEUED', agentId: null, groupId, queuedAt }, { outcome: 'MOVED' });
    if (resumed) return resumeHandoff(tx, organizationId, resumed.id, groupId);
    return beginHandoff(tx, organizationId, chat, groupId, {
      id: newId('hof'),
      by: actor,
      reason,
      summary,
      cause,
      previousAgentId: chat.agentId,
      maxWaitSeconds,
      onUnanswered,
      queuedAt,
    });
  }

  private async change(
    tx: EntityManager,
    { organizationId }: RequestContext,
    chat: LockedChat,
    to: ChangedChat,
    end: HandoffEnd = { outcome: 'CLOSED' },
  ): Promise<void> {
    const { agentId, offer, now } = chat;
    const load: LoadChange[] = [];
    if (agentId !== null) {
      await keepFirstReply(tx, organizationId, chat);
      if (!chat.isSnoozed) load.push({ agentId, chats: -1, offers: 0 });
    }
    if (to.agentId !== null) load.push({ agentId: to.agentId, chats: 1, offers: 0 });
    const [first = null, second] = sumByAgent(load);
    const isAtOnce = !offer && !second;
    await changeChat(tx, organizationId, chat, to, end, isAtOnce ? first : null);
    if (offer) {
      const reason = to.agentId === offer.agentId && end.how === 'OFFERED' ? 'ACCEPTED' : 'WITHDRAWN';
      load.push(...(await this.offers.end(tx, organizationId, chat, reason)));
    }
    if (!isAtOnce) await addLoad(tx, organizationId, load, now);
    const moved = to.groupId === chat.groupId ? {} : { previousGroupId: chat.groupId };
    const place = { groupId: to.groupId, agentId: to.agentId };
    const ended = isOpen(to.status) ? {} : { hasEnded: true };
    this.events.emit('chat.changed', { organizationId, chatId: chat.id, ...moved, place, ...ended }, tx);
    if (to.status === 'QUEUED' || load.some(({ chats, offers }) => chats + offers < 0)) {
      this.events.emit('queue.changed', { organizationId }, tx);
    }
  }

  private async findAgent(
    tx: EntityManager,
    { organizationId, actor }: RequestContext,
    id: string | null,
  ): Promise<Named | null> {
    if (id === null) return null;
    const name = actor.id === id ? actor.name : await findAgentName(tx, organizationId, id);
    return name === null ? null : { id, name };
  }

  private async queueEvent(
    tx: EntityManager,
    { organizationId, traceparent }: RequestContext,
    id: string,
    type: Exclude<EventType, 'message.created'>,
    next: NextMessage | undefined,
    more: Record<string, unknown>,
  ): Promise<void> {
    const lanes = await queueChatEvent(tx, organizationId, id, type, traceparent, more, next);
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
  }
}

/** Whether the visitor keeps waiting since `queuedAt` when the chat changes hands: no agent has written since. */
function keepsWaiting({ status, agentId, agentRepliedAt }: LockedChat): boolean {
  return status === 'QUEUED' || (agentId !== null && agentRepliedAt === null);
}
