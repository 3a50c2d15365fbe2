import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { checkOwnerLocked, findBotOfGroup, requiredOwner } from '../chats/moves/chat-problems.js';
import { isOpen, type Owner, ownerOf } from '../chats/model/chat-status.js';
import type { FailureCause } from '../chats/model/handoff.entity.js';
import type { Named } from '../chats/reading/chat-state.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { BotMetrics } from '../bots/bot-metrics.js';
import { findBot } from '../bots/bots.queries.js';
import { findGroup, findGroupOfBot } from '../groups/groups.queries.js';
import type { OnUnanswered } from '../groups/routing.js';
import { type Idempotency, idempotency, keyReused, type Replayable } from '../idempotency/idempotency.js';
import { replaceStoredResult, reserveKey } from '../idempotency/idempotency.queries.js';
import { notFound, Problem, problemWith } from '../platform/errors/problem.js';
import { clientOf, transaction } from '../platform/database/transaction.js';
import { AvailabilityService, type QueuePosition } from './availability.service.js';
import { HandoffsService } from './handoffs.service.js';

/** A bot's request to transfer a chat to a group's agents (CONTRACT: Transfers). */
export interface TransferRequest {
  chatId: string;
  /** Omitted: the default group. With `targetBotId`: a group that names this bot. */
  targetGroupId?: string;
  /** Passes the chat to another bot instead of a group's agents. */
  targetBotId?: string;
  reason?: string;
  /** Refuses unless the bots have the chat. */
  ifOwner?: 'BOT';
  /** `FAIL` refuses if no agent of the group is online with room. */
  ifUnavailable?: 'QUEUE' | 'FAIL';
  /** After how long the chat is unanswered, in seconds; 0: never; omitted: as the group says. */
  maxWaitSeconds?: number;
  onUnanswered?: OnUnanswered;
  /** What the agents, or the other bot, should know; the visitor never sees it. */
  summary?: string;
  /** The error that makes the bot transfer the chat; agents see it. */
  cause?: FailureCause;
}

/** The stay in the queue that a transfer started or continued. */
export interface TransferHandoff extends QueuePosition {
  id: string;
  /** When the chat is unanswered; null: never. */
  expiresAt: string | null;
}

export interface TransferResult {
  chatId: string;
  newStatus: 'QUEUED' | 'ACTIVE';
  assignedTo: null;
  groupId: string;
  /** Absent if the chat was passed to a bot, and in answers that the previous release stored. */
  handoff?: TransferHandoff;
}

/** Transfers chats to a group's agents or to another bot, and withdraws them. */
@Injectable()
export class TransferService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly availability: AvailabilityService,
    private readonly metrics: BotMetrics,
  ) {}

  /**
   * Queues a chat for a group, by default the default group, in one transaction. A chat that already waits there keeps its
   * position, and the given members replace the previous request's. With `targetBotId`, the chat goes to that bot instead.
   * @throws Problem not_found for the chat, the group, or the bot; conflict when the chat is closed or archived, or no group names the
   *   bot; not_owner; nobody_available; idempotency_key_reused
   */
  async transfer(
    context: RequestContext,
    body: TransferRequest,
    key: string | null,
  ): Promise<Replayable<TransferResult>> {
    const asked = idempotency(key, 'transfer', meaningOf(body));
    const answer = await transaction(this.manager, (tx) => this.move(tx, context, body, asked));
    if (!answer.isReplay) this.metrics.onHandedOver(context.actor.id, body.cause?.name);
    return answer;
  }

  /**
   * Returns a waiting chat to the bots.
   * @throws Problem not_found; not_waiting
   */
  async withdraw(context: RequestContext, chatId: string): Promise<{ chatId: string; owner: Owner }> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, context, chatId);
      const owner = ownerOf(chat.status, chat.agentId);
      if (owner !== 'QUEUE')
        throw problemWith('not_waiting', `The chat is not waiting for an agent: it is with ${owner}`, { owner });
      await this.handoffs.move(tx, context, chat, { type: 'RETURN', note: null });
      return { chatId, owner: 'BOT' };
    });
  }

  // Locks the group's row before the chat's, in the order that deleting a group uses, so that the two cannot deadlock.
  private async move(
    tx: EntityManager,
    context: RequestContext,
    body: TransferRequest,
    asked: Idempotency | null,
  ): Promise<Replayable<TransferResult>> {
    const { organizationId } = context;
    const { targetBotId } = body;
    const group = await this.findTarget(tx, organizationId, body);
    const result: TransferResult = {
      chatId: body.chatId,
      newStatus: targetBotId == null ? 'QUEUED' : 'ACTIVE',
      assignedTo: null,
      groupId: group?.id ?? '',
    };
    const kept = asked && (await reserveKey(await clientOf(tx), organizationId, context.actor.id ?? '', asked, result));
    if (kept?.fingerprint.equals(asked!.fingerprint))
      return { result: kept.response as TransferResult, isReplay: true };
    const chat = await this.transitions.lock(tx, context, body.chatId);
    if (!group) return this.refuseTarget(tx, organizationId, targetBotId);
    if (kept) throw keyReused();
    if (!isOpen(chat.status)) throw new Problem('conflict', `The chat is ${chat.status}; this requires an open chat`);
    const required = requiredOwner(context, body.ifOwner);
    // With the bot's setting alone, it may change what it asked for, because that doesn't move the chat.
    if (required === 'BOT' || !isWaitingIn(group, chat))
      await checkOwnerLocked(tx, required, organizationId, chat, context.actor);
    const handoff =
      targetBotId == null
        ? await this.handOver(tx, context, chat, group, body)
        : await this.pass(tx, context, chat, group, { ...body, targetBotId });
    const answer = { ...result, handoff };
    if (asked) await replaceStoredResult(await clientOf(tx), organizationId, context.actor.id ?? '', asked, answer);
    return { result: answer, isReplay: false };
  }

  private async findTarget(
    tx: EntityManager,
    organizationId: string,
    { targetBotId, targetGroupId }: TransferRequest,
  ): Promise<Named | null> {
    if (targetBotId == null) return findGroup(tx, organizationId, targetGroupId);
    return findGroupOfBot(tx, organizationId, targetBotId, targetGroupId);
  }

  /** @throws Problem not_found; conflict */
  private async refuseTarget(tx: EntityManager, organizationId: string, botId?: string): Promise<never> {
    if (botId == null) notFound('Group');
    if (!(await findBot(tx, organizationId, botId))) notFound('Bot');
    throw new Problem('conflict', 'No such group names this bot, so it has no chats of its own');
  }

  /** Passes the chat to the bot that the group names. A chat that this bot has already stays as it is. */
  private async pass(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    group: Named,
    { targetBotId, reason, summary }: TransferRequest & { targetBotId: string },
  ): Promise<undefined> {
    const owner = ownerOf(chat.status, chat.agentId);
    if (owner === 'AGENT') throw problemWith('not_owner', 'An agent has the chat', { owner });
    const botId = await findBotOfGroup(tx, context.organizationId, chat.groupId);
    if (owner === 'BOT' && botId === targetBotId) return;
    await this.handoffs.move(tx, context, chat, { type: 'RETURN', note: summary ?? null, reason, group });
  }

  private async handOver(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    group: Named,
    { reason, ifUnavailable, maxWaitSeconds, onUnanswered, summary, cause }: TransferRequest,
  ): Promise<TransferHandoff | undefined> {
    const { organizationId } = context;
    const isInQueue = isWaitingIn(group, chat);
    if (!isInQueue && ifUnavailable === 'FAIL') await this.checkAvailable(tx, organizationId, group.id);
    const request = { reason, summary, cause, maxWaitSeconds, onUnanswered };
    const handoff = isInQueue
      ? await this.handoffs.updateRequest(tx, context, chat, request)
      : await this.handoffs.move(tx, context, chat, { type: 'TRANSFER', group, request });
    // A chat that a node of the previous release queued gets its hand-off soon.
    if (!handoff) return undefined;
    const { id, dueAt } = handoff;
    const position = await this.availability.positionOf(organizationId, { id: chat.id, groupId: group.id }, tx);
    return { id, ...position, expiresAt: dueAt?.toISOString() ?? null };
  }

  private async checkAvailable(tx: EntityManager, organizationId: string, groupId: string): Promise<void> {
    const { availability, nextOpening } =
      (await this.availability.find(organizationId, groupId, tx)) ?? notFound('Group');
    if (availability === 'AVAILABLE') return;
    throw problemWith('nobody_available', `No agent of the group can take the chat: the group is ${availability}`, {
      availability,
      nextOpening: nextOpening?.toISOString() ?? null,
    });
  }
}

function isWaitingIn({ id }: Named, { status, groupId }: LockedChat): boolean {
  return status === 'QUEUED' && groupId === id;
}

/**
 * The request's meaning. Newer fields are part of it only if given, because older requests didn't have them. The cause isn't part of
 * it: when a bot that has restarted repeats a transfer, its error may be another one.
 */
function meaningOf({ chatId, targetGroupId, reason, ...newer }: TransferRequest): unknown[] {
  const { ifUnavailable, maxWaitSeconds, onUnanswered, summary, ifOwner, targetBotId } = newer;
  const given = Object.entries({ ifUnavailable, maxWaitSeconds, onUnanswered, summary, ifOwner, targetBotId }).filter(
    ([, value]) => value != null,
  );
  const meaning: unknown[] = [chatId, targetGroupId ?? null, reason ?? null];
  return given.length === 0 ? meaning : [...meaning, Object.fromEntries(given)];
}
