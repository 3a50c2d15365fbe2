import { Inject, Injectable } from '@nestjs/common';
import { findGroup } from '../groups/groups.queries.js';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { type Candidate, findAgentName, findCandidate } from '../agents/agents.queries.js';
import { maySee, seesAllGroups } from '../chats/model/chat-rights.js';
import { isAtLeast, type Role } from '../agents/role.js';
import type { RequestContext } from '../auth/context/request-context.js';
import { alreadyAssigned, notAssigned, takenBy } from '../chats/moves/chat-problems.js';
import { isOpen } from '../chats/model/chat-status.js';
import type { Named } from '../chats/reading/chat-state.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatSnoozes } from '../chats/moves/chat-snoozes.service.js';
import { ChatTransitions, type ReopenedChat } from '../chats/moves/chat-transitions.service.js';
import { type ChatEnd, findClosedHandoff, findEnd } from '../chats/moves/ended-chats.queries.js';
import { ClosingService } from '../messages/closing.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { batch } from '../platform/lib/batch.js';
import { invalid, notFound, Problem, problemWith } from '../platform/errors/problem.js';
import { findOtherOwners, type OwnerQuestion } from './claims.queries.js';
import { hasMovedSince } from './handoffs.queries.js';
import { HandoffsService } from './handoffs.service.js';

/** The most claims that one query checks, and the most that may wait. */
const MAX_BATCH = 100;
const MAX_WAITING = 1_000;

/** How long the end of a chat can be undone. */
const UNDO_MINUTES = 5;

/** The agent who acts: `context.actor` is the agent. */
export interface ActingAgent {
  context: RequestContext;
  role: Role;
  /** The `seq` of the agent's message that the action follows: they may act only as the chat's agent, if it hasn't moved since. */
  afterSeq?: number;
}

/** When a snoozed chat wakes. */
export interface Snooze {
  /** Null: when the visitor writes. A visitor's message wakes it before this time, too. */
  until?: Date | null;
  /** The latest message that the agent saw. */
  seenSeq?: number;
}

/** The target of a transfer, and a text for them. */
export interface AgentTransfer {
  /** Exactly one of the two. */
  groupId?: string;
  agentId?: string;
  note?: string | null;
}

/**
 * What agents do with chats (CONTRACT: Who has a chat and CONTRACT: Agent API). Each action is one transaction under the chat's lock: of
 * several concurrent ones the first wins, and the others get the 409 that is true after it. A chat that the agent may not see is a 404.
 */
@Injectable()
export class AgentActionsService {
  /** The first running claim of each chat on this node; none of them rejects. */
  private readonly claims = new Map<string, Promise<void>>();
  private readonly findOtherOwner = batch(
    (questions: readonly OwnerQuestion[]) => findOtherOwners(this.pool, questions),
    MAX_BATCH,
    { maxWaiting: MAX_WAITING },
  );

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly transitions: ChatTransitions,
    private readonly snoozes: ChatSnoozes,
    private readonly closing: ClosingService,
    private readonly handoffs: HandoffsService,
  ) {}

  /**
   * Assigns a chat that waits or is with the bots to the agent. Does nothing if the agent already has it. When many agents claim one chat,
   * only the first takes its lock; the others wait for that claim and are then refused without a lock.
   * @param groupId one of the agent's groups: the chat moves to it
   * @throws Problem not_found for the chat or the group; already_assigned; offered to another agent; conflict for a chat that has ended
   */
  async claim(acting: ActingAgent, chatId: string, groupId?: string): Promise<void> {
    const key = `${acting.context.organizationId} ${chatId}`;
    const earlier = this.claims.get(key);
    if (earlier) {
      await earlier;
      return this.claimLocked(acting, chatId, groupId);
    }
    const taken = this.claimLocked(acting, chatId, groupId);
    const settled = taken.then(noop, noop).finally(() => this.claims.delete(key));
    this.claims.set(key, settled);
    return taken;
  }

  /** Returns the agent's chat to its group's queue. @throws Problem not_found; not_assigned */
  release(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const chat = await this.lockOwn(tx, acting, chatId);
      await this.handoffs.move(tx, context, chat, { type: 'UNASSIGN', from: agentOf(context), reason: 'RELEASED' });
    });
  }

  /**
   * Snoozes the agent's chat, or changes when it wakes.
   * @throws Problem not_found; not_assigned; conflict if the visitor wrote after `seenSeq`; validation_failed for a time in the past
   */
  snooze(acting: ActingAgent, chatId: string, { until = null, seenSeq }: Snooze): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.lockOwn(tx, acting, chatId);
      if (until && until <= chat.now) throw invalid('/until', 'must be in the future');
      if (seenSeq !== undefined && chat.lastVisitorSeq > seenSeq)
        throw new Problem('conflict', 'The visitor wrote after seenSeq; read the message first');
      await this.snoozes.snooze(tx, acting.context.organizationId, chat, until);
    });
  }

  /** Wakes the agent's snoozed chat, beyond the capacity too. Does nothing if it isn't snoozed. @throws Problem not_found; not_assigned */
  wake(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.lockOwn(tx, acting, chatId);
      if (chat.isSnoozed) await this.snoozes.wake(tx, acting.context.organizationId, chat);
    });
  }

  /**
   * Returns a chat to the bots: the agent's own, or any open one for a supervisor.
   * @param note the agent's note to the bot
   * @throws Problem not_found; not_assigned; no_bot; conflict for a chat that has ended
   */
  returnToBot(acting: ActingAgent, chatId: string, note: string | null): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { chat, hasBot } = await this.lockVisibleWithBot(tx, acting, chatId);
      checkOpen(chat);
      await checkRight(tx, acting, chat);
      if (!hasBot)
        throw new Problem('no_bot', 'The organization has no bot that could take the chat; create one first');
      const isWithBot = chat.status === 'ACTIVE' && chat.agentId === null;
      if (!isWithBot) await this.handoffs.move(tx, context, chat, { type: 'RETURN', note });
    });
  }

  /** Closes a chat: the agent's own, or any for a supervisor. Does nothing if it has ended. @throws Problem not_found; not_assigned */
  close(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const chat = await this.lockVisible(tx, acting, chatId);
      if (!isOpen(chat.status)) return;
      await checkRight(tx, acting, chat);
      await this.closing.close(tx, context, chat);
    });
  }

  /** Reopens an ended chat for the agent. Does nothing if the agent has it. @throws Problem not_found; already_assigned; conflict */
  reopen(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { chat, hasBot } = await this.lockVisibleWithBot(tx, acting, chatId);
      if (chat.agentId === context.actor.id) return;
      if (chat.agentId !== null) throw await alreadyAssigned(tx, context.organizationId, chat);
      if (isOpen(chat.status))
        throw new Problem('conflict', `The chat is ${chat.status}; only an ended chat can be reopened`);
      await this.closing.reopen(tx, context, chat, hasBot);
    });
  }

  /**
   * Undoes the end of a chat that was the agent's, or of any for a supervisor. The chat returns to its bot or agent, snoozed as before, or
   * waits since the same time. If its agent can no longer serve it, it waits: since the same time, or from now if the agent had answered.
   * Does nothing for an open chat that no other agent has. One exception: if it was waiting when it ended, and the visitor has reopened it,
   * it waits since the same time.
   * @throws Problem not_found; already_assigned; not_assigned; conflict for a chat that ended more than `UNDO_MINUTES` ago
   */
  undoClose(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context, role } = acting;
      const { organizationId, actor } = context;
      const { chat, hasBot } = await this.lockVisibleWithBot(tx, acting, chatId);
      if (chat.agentId !== null && chat.agentId !== actor.id) throw await alreadyAssigned(tx, organizationId, chat);
      if (isOpen(chat.status)) return this.requeueLocked(tx, acting, chat);
      const end = await findEnd(tx, organizationId, chatId);
      if (end.agentId !== actor.id && !isAtLeast(role, 'SUPERVISOR')) throw await notAssigned(tx, organizationId, chat);
      if (end.endedAt <= undoableSince(chat))
        throw new Problem('conflict', `The chat ended more than ${UNDO_MINUTES} minutes ago; reopen it without undo`);
      const to = await findPrevious(tx, organizationId, chat, end, hasBot);
      await this.closing.undo(tx, context, chat, to);
      if (to.owner !== 'AGENT' || !end.isSnoozed) return;
      await this.snoozeAgain(tx, organizationId, { ...chat, agentId: to.agent.id }, end.snoozedUntil);
    });
  }

  /**
   * Assigns an open chat to an agent, no matter who has it. Only supervisors may do this: the route checks it.
   * @param snooze for the new agent: skipped if its time is over, or the visitor wrote after `seenSeq`
   * @throws Problem not_found for the chat or the agent; agent_unavailable; conflict for a chat that has ended
   */
  assign(acting: ActingAgent, chatId: string, agentId: string, snooze?: Snooze): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { organizationId } = acting.context;
      const chat = await this.lockVisible(tx, acting, chatId);
      await this.assignLocked(tx, acting.context, chat, agentId);
      if (!snooze || chat.agentId === agentId) return;
      const { until = null, seenSeq = chat.lastVisitorSeq } = snooze;
      if (chat.lastVisitorSeq > seenSeq) return;
      await this.snoozeAgain(tx, organizationId, { ...chat, agentId, isSnoozed: false }, until);
    });
  }

  /**
   * Transfers a chat to a group or an agent: the agent's own, or any open one for a supervisor.
   * @throws Problem not_found for the chat, the group or the agent; not_assigned; agent_unavailable; conflict
   */
  transfer(acting: ActingAgent, chatId: string, { groupId, agentId, note = null }: AgentTransfer): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { organizationId } = context;
      const group = groupId === undefined ? null : await findGroup(tx, organizationId, groupId);
      const chat = await this.lockVisible(tx, acting, chatId);
      if (groupId !== undefined && !group) notFound('Group');
      if (isOpen(chat.status) || acting.afterSeq !== undefined) await checkRight(tx, acting, chat);
      if (agentId !== undefined) {
        return this.assignLocked(tx, context, chat, agentId, note);
      }
      checkOpen(chat);
      const isInQueue = chat.status === 'QUEUED' && chat.groupId === groupId;
      if (isInQueue) await this.handoffs.updateRequest(tx, context, chat, { summary: note });
      else await this.handoffs.move(tx, context, chat, { type: 'TRANSFER', group: group!, request: { summary: note } });
    });
  }

  private async assignLocked(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    agentId: string,
    note: string | null = null,
  ): Promise<void> {
    const { organizationId } = context;
    const agent = (await findCandidate(tx, organizationId, agentId, chat.groupId)) ?? notFound('Agent');
    checkOpen(chat);
    if (chat.agentId === agentId) {
      if (note !== null) await this.handoffs.recordNote(tx, context, chat, agentId, note);
      return;
    }
    if (!agent.isEnabled || !sees(agent, chat)) {
      throw new Problem(
        'agent_unavailable',
        'The agent is disabled or is not in the group of the chat; choose an enabled agent of that group',
      );
    }
    await this.handoffs.move(tx, context, chat, {
      type: 'ASSIGN',
      agent: { id: agent.id, name: agent.name },
      how: 'ASSIGNED',
    });
    if (chat.agentId === null && note === null) return;
    await this.handoffs.recordNote(tx, context, chat, agentId, note);
  }

  private async snoozeAgain(
    tx: EntityManager,
    organizationId: string,
    chat: LockedChat,
    until: Date | null,
  ): Promise<void> {
    const isDue = until !== null && until <= chat.now;
    if (!isDue) await this.snoozes.snooze(tx, organizationId, chat, until);
  }

  private async requeueLocked(tx: EntityManager, { context, role }: ActingAgent, chat: LockedChat): Promise<void> {
    if (chat.agentId !== null || !isAtLeast(role, 'SUPERVISOR')) return;
    const { organizationId } = context;
    const resumed = await findClosedHandoff(tx, organizationId, chat.id, undoableSince(chat));
    const group = resumed && (await findGroup(tx, organizationId, chat.groupId));
    if (group) await this.handoffs.move(tx, context, chat, { type: 'TRANSFER', group, resumed });
  }

  private async claimLocked(acting: ActingAgent, chatId: string, groupId?: string): Promise<void> {
    await this.checkNotTaken(acting, chatId);
    await transaction(this.manager, async (tx) => {
      const { context } = acting;
      if (groupId !== undefined) await checkGroup(tx, acting, groupId);
      const chat = await this.lockVisible(tx, acting, chatId);
      if (chat.agentId === context.actor.id) return;
      checkOpen(chat);
      if (chat.agentId !== null) throw await alreadyAssigned(tx, context.organizationId, chat);
      const isOffered = chat.offer !== null && chat.offer.expiresAt > chat.now;
      if (isOffered && chat.offer!.agentId !== context.actor.id) throw await offered(tx, context, chat);
      await this.handoffs.move(tx, context, chat, {
        type: 'ASSIGN',
        agent: agentOf(context),
        how: isOffered ? 'OFFERED' : 'CLAIMED',
        groupId,
      });
    });
  }

  private async checkNotTaken({ context, role }: ActingAgent, chatId: string): Promise<void> {
    const { organizationId, actor } = context;
    const seesAll = seesAllGroups(role);
    const owner = await this.findOtherOwner({ organizationId, chatId, agentId: actor.id!, seesAll });
    if (owner) throw takenBy(owner);
  }

  private async lockVisible(tx: EntityManager, acting: ActingAgent, chatId: string): Promise<LockedChat> {
    const chat = await this.transitions.lockExisting(tx, acting.context, chatId);
    checkVisible(acting, chat);
    return chat;
  }

  private async lockVisibleWithBot(tx: EntityManager, acting: ActingAgent, chatId: string) {
    const locked = await this.transitions.lockExistingWithBot(tx, acting.context, chatId);
    checkVisible(acting, locked.chat);
    return locked;
  }

  private async lockOwn(tx: EntityManager, acting: ActingAgent, chatId: string): Promise<LockedChat> {
    const { context } = acting;
    const chat = await this.lockVisible(tx, acting, chatId);
    if (chat.agentId !== context.actor.id) throw await notAssigned(tx, context.organizationId, chat);
    return chat;
  }
}

function checkVisible({ context, role }: ActingAgent, chat: LockedChat): void {
  if (!sees({ id: context.actor.id!, role, isInGroup: chat.isInGroup }, chat)) notFound('Chat');
}

/** Whether an agent may see a locked chat. `isInGroup`: whether they are in its group. */
function sees({ id, role, isInGroup }: Pick<Candidate, 'id' | 'role' | 'isInGroup'>, chat: LockedChat): boolean {
  return maySee({ agentId: id, role, groupIds: new Set(isInGroup ? [chat.groupId] : []) }, chat);
}

/** Who gets a chat whose end is undone. */
async function findPrevious(
  tx: EntityManager,
  organizationId: string,
  chat: LockedChat,
  { agentId, handoff }: ChatEnd,
  hasBot: boolean,
): Promise<ReopenedChat> {
  if (handoff) return { owner: 'QUEUE', handoff };
  if (agentId === null) return { owner: hasBot ? 'BOT' : 'QUEUE' };
  const agent = await findCandidate(tx, organizationId, agentId, chat.groupId);
  const serves = agent?.isEnabled && sees(agent, chat);
  const since = chat.queuedAt;
  return serves ? { owner: 'AGENT', agent: { id: agent.id, name: agent.name }, since } : { owner: 'QUEUE', since };
}

/** Checks that a group is one of the agent's; supervisors have all. It can't be removed until the end of the transaction. */
async function checkGroup(tx: EntityManager, { context, role }: ActingAgent, groupId: string): Promise<void> {
  const { organizationId, actor } = context;
  const group = await findGroup(tx, organizationId, groupId);
  const agent = group && (await findCandidate(tx, organizationId, actor.id!, groupId));
  if (!agent || !(seesAllGroups(role) || agent.isInGroup)) notFound('Group');
}

/** Checks the right to pass on or close an open chat: its agent and supervisors have it. */
async function checkRight(tx: EntityManager, acting: ActingAgent, chat: LockedChat): Promise<void> {
  const { context, role, afterSeq } = acting;
  const isOwn = chat.agentId === context.actor.id;
  if (afterSeq === undefined && (isOwn || isAtLeast(role, 'SUPERVISOR'))) return;
  if (afterSeq !== undefined && isOwn && !(await hasMovedSince(tx, context.organizationId, chat, afterSeq))) return;
  throw await notAssigned(tx, context.organizationId, chat);
}

const noop = () => undefined;

/** A chat that ended after this time can be restored. */
const undoableSince = ({ now }: LockedChat) => new Date(now.getTime() - UNDO_MINUTES * 60_000);

function checkOpen({ status }: LockedChat): void {
  if (!isOpen(status)) throw new Problem('conflict', `The chat is ${status}; this requires an open chat`);
}

/** The acting agent, as the chat's new agent. */
export function agentOf({ actor }: RequestContext): Named {
  return { id: actor.id!, name: actor.name ?? '' };
}

async function offered(tx: EntityManager, { organizationId }: RequestContext, { offer }: LockedChat): Promise<Problem> {
  const { agentId } = offer!;
  const name = await findAgentName(tx, organizationId, agentId);
  return problemWith('offered', 'The chat is offered to another agent; wait until the offer ends', {
    offeredTo: name === null ? null : { id: agentId, name },
    expiresAt: offer!.expiresAt.toISOString(),
  });
}
