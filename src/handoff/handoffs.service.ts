import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, RequestContext } from '../auth/context/request-context.js';
import type { Named } from '../chats/reading/chat-state.js';
import type { HandoffRequest, UnassignReason, How } from '../chats/model/handoff.entity.js';
import { type LockedChat, raiseRev, type RunningHandoff } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import type { EndedHandoff } from '../chats/moves/ended-chats.queries.js';
import '../chats/model/chats.events.js';
import { type Notice, SystemMessages } from '../messages/system-messages.service.js';
import { afterCommit } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import type { Availability } from './availability.js';
import { HandoffMetrics } from './handoff-metrics.js';
import { insertDirectHandoff, replaceRequest } from './handoffs.queries.js';

/** A change of who has a chat. */
export type Move =
  /** It waits for an agent of the group. `resumed`: the hand-off that continues, with its place in the queue. */
  | { type: 'TRANSFER'; group: Named; request?: Omit<HandoffRequest, 'groupId'>; resumed?: EndedHandoff }
  /** `groupId`: the group that it moves to, if not its own. */
  | { type: 'ASSIGN'; agent: Named; how: How; groupId?: string }
  /** It leaves its agent, and waits in its group. */
  | { type: 'UNASSIGN'; from: Named; reason: UnassignReason }
  /** `note`: for the bot, hidden from the visitor. `group`: the group that it moves to, if a bot passes it to another one. */
  | { type: 'RETURN'; note: string | null; reason?: string; group?: Named }
  /** No agent took it in time: it keeps waiting, or returns to the bots. */
  | { type: 'UNANSWERED'; availability: Availability; isReturned: boolean };

/** What visitors read when agents get a chat because its bots are silent, by the reason of the transfer. */
const SILENT_TEXT = "The bot isn't answering, so our team takes over this chat.";
const SILENT: Partial<Record<string, string>> = { bot_silent: SILENT_TEXT, bot_unanswered: SILENT_TEXT };

/** The system message of each move (CONTRACT: Who has a chat). */
const NOTICES: { [T in Move['type']]: (move: Extract<Move, { type: T }>, actor: Actor) => Notice } = {
  TRANSFER: ({ group, request }, actor) => ({
    content: actor.type === 'BOT' ? 'Chat transferred by bot' : (SILENT[request?.reason ?? ''] ?? 'Chat transferred'),
    metadata: {
      event: 'chat.transferred',
      groupId: group.id,
      groupName: group.name,
      ...(request?.reason != null && { reason: request.reason }),
    },
  }),
  ASSIGN: ({ agent }) => ({
    content: `${agent.name} joined the chat`,
    metadata: { event: 'chat.assigned', agentId: agent.id, agentName: agent.name },
  }),
  UNASSIGN: ({ from }) => ({
    content: `${from.name} left the chat. Another agent will be with you shortly.`,
    metadata: { event: 'chat.unassigned', agentName: from.name },
  }),
  RETURN: ({ reason }) => ({
    content: 'The chat continues with the bot',
    metadata: { event: 'chat.returned', ...(reason != null && { reason }) },
  }),
  UNANSWERED: () => ({
    content: 'No one from our team is available right now.',
    metadata: { event: 'chat.unanswered' },
  }),
};

/**
 * Moves locked chats, in the transaction of `tx` (CONTRACT: Who has a chat). A move queues its event and stores its system message.
 */
@Injectable()
export class HandoffsService {
  constructor(
    private readonly transitions: ChatTransitions,
    private readonly systemMessages: SystemMessages,
    private readonly metrics: HandoffMetrics,
    private readonly events: DomainEventBus,
  ) {}

  /** Moves a chat. Returns the hand-off that a transfer starts, null for other moves. */
  async move(tx: EntityManager, context: RequestContext, chat: LockedChat, move: Move): Promise<RunningHandoff | null> {
    if (move.type === 'ASSIGN') this.countAssigned(tx, chat, move.how);
    const notice = (NOTICES[move.type] as (one: Move, actor: Actor) => Notice)(move, context.actor);
    const at = new Date();
    const handoff = await this.change(tx, context, chat, move, { at });
    await this.systemMessages.append(tx, context, chat.id, notice, at);
    return handoff;
  }

  /**
   * Replaces the given members of a waiting chat's request. The chat keeps its position. Agents are notified; the visitor and
   * the webhooks aren't, because the chat didn't move.
   */
  async updateRequest(
    tx: EntityManager,
    { organizationId }: RequestContext,
    { id, handoff, now }: LockedChat,
    request: Omit<HandoffRequest, 'groupId'>,
  ): Promise<RunningHandoff | null> {
    const changed = handoff && (await replaceRequest(tx, organizationId, handoff.id, request, now));
    if (!changed) return handoff;
    await this.announce(tx, organizationId, id);
    return { ...handoff, ...changed };
  }

  /** Records a note for an agent who got the chat without waiting, or already has it. @param text null: none */
  async recordNote(
    tx: EntityManager,
    { organizationId, actor }: RequestContext,
    chat: LockedChat,
    toAgentId: string,
    text: string | null,
  ): Promise<void> {
    await insertDirectHandoff(tx, organizationId, chat, toAgentId, actor, text);
    if (chat.agentId === toAgentId) await this.announce(tx, organizationId, chat.id);
  }

  private async announce(tx: EntityManager, organizationId: string, chatId: string): Promise<void> {
    await raiseRev(tx, organizationId, chatId);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }

  private async change(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    move: Move,
    next: { at: Date },
  ): Promise<RunningHandoff | null> {
    const { transitions } = this;
    if (move.type === 'TRANSFER')
      return transitions.queue(tx, context, chat, { ...move.request, groupId: move.group.id }, next, move.resumed);
    if (move.type === 'ASSIGN') await this.assign(tx, context, chat, move, next);
    else if (move.type === 'UNASSIGN') await transitions.unassign(tx, context, chat, move.from, move.reason, next);
    else if (move.type === 'RETURN') await transitions.returnToBot(tx, context, chat, move, next);
    else await transitions.unanswered(tx, context, chat, move, next);
    return null;
  }

  private async assign(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    move: Extract<Move, { type: 'ASSIGN' }>,
    next: { at: Date },
  ): Promise<void> {
    await this.transitions.assign(tx, context, chat, move, next);
    const { organizationId, actor } = context;
    const isOwnChoice = actor.type === 'AGENT' && actor.id === move.agent.id;
    this.events.emit('chat.assigned', { organizationId, chatId: chat.id, agentId: move.agent.id, isOwnChoice }, tx);
  }

  private countAssigned(tx: EntityManager, { status, queuedAt, now }: LockedChat, how: How): void {
    if (status !== 'QUEUED' || !queuedAt) return;
    afterCommit(tx, () => this.metrics.onAssigned(how, now.getTime() - queuedAt.getTime()));
  }
}
