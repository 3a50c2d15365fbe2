import { Inject, Injectable } from '@nestjs/common';
import { findGroup } from '../groups/groups.queries.js';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { isInGroup } from '../agents/agents.queries.js';
import { maySee, seesAllGroups } from '../chats/model/chat-rights.js';
import { isAtLeast, type Role } from '../agents/role.js';
import type { RequestContext } from '../auth/context/request-context.js';
import { alreadyAssigned, notAssigned, takenBy } from '../chats/moves/chat-problems.js';
import { isOpen } from '../chats/model/chat-status.js';
import type { Named } from '../chats/reading/chat-state.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ClosingService } from '../messages/closing.service.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { batch } from '../platform/lib/batch.js';
import { notFound, Problem, problemWith } from '../platform/errors/problem.js';
import { findOtherOwners, type OwnerQuestion } from './claims.queries.js';
import { HandoffsService } from './handoffs.service.js';

/** How many claims are checked in one query, and how many may wait. */
const MAX_BATCH = 100;
const MAX_WAITING = 1_000;

/** The agent who does something: `context.actor` is the agent. */
export interface ActingAgent {
  context: RequestContext;
  role: Role;
}

/** To whom a chat is handed, and a text for them. */
export interface AgentTransfer {
  /** Exactly one of the two. */
  groupId?: string;
  agentId?: string;
  note?: string | null;
}

/**
 * What agents do with chats (CONTRACT sections 8 and 10). Each is one transaction under the chat's lock: of several at the
 * same time one wins, and the others get the 409 that is true after it. A chat that the agent may not see is a 404.
 */
@Injectable()
export class AgentActionsService {
  /** The first claim of each chat that is under way on this node; none rejects. */
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
    private readonly closing: ClosingService,
    private readonly handoffs: HandoffsService,
  ) {}

  /**
   * Takes a chat that waits or is with the bots. A chat that the agent has already stays. Of many agents who want one chat,
   * those who come while the first is answered, or after it, wait for no lock.
   * @throws Problem not_found; already_assigned; offered to another agent; conflict for a chat that has ended
   */
  async claim(acting: ActingAgent, chatId: string): Promise<void> {
    const key = `${acting.context.organizationId} ${chatId}`;
    const earlier = this.claims.get(key);
    if (earlier) {
      await earlier;
      return this.take(acting, chatId);
    }
    const taken = this.take(acting, chatId);
    const settled = taken.then(noop, noop).finally(() => this.claims.delete(key));
    this.claims.set(key, settled);
    return taken;
  }

  /** Gives the agent's chat back to the queue of its group. @throws Problem not_found; not_assigned */
  release(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const chat = await this.lockVisible(tx, acting, chatId);
      if (chat.agentId !== context.actor.id) throw await notAssigned(tx, context.organizationId, chat);
      await this.handoffs.move(tx, context, chat, { type: 'UNASSIGN', from: me(context), reason: 'RELEASED' });
    });
  }

  /**
   * Gives a chat to the bots: the agent's own, or any open one for a supervisor.
   * @param note what the agent tells the bot
   * @throws Problem not_found; not_assigned; no_bot; conflict for a chat that has ended
   */
  returnToBot(acting: ActingAgent, chatId: string, note: string | null): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { chat, hasBot } = await this.transitions.lockExistingWithBot(tx, context, chatId);
      await this.checkVisible(tx, acting, chat);
      checkOpen(chat);
      await checkRight(tx, acting, chat);
      if (!hasBot) throw new Problem('no_bot', 'The organization has no bot');
      const isWithBot = chat.status === 'ACTIVE' && chat.agentId === null;
      if (!isWithBot) await this.handoffs.move(tx, context, chat, { type: 'RETURN', note });
    });
  }

  /** Ends a chat: the agent's own, or any for a supervisor. Nothing happens when it has ended. @throws Problem not_found; not_assigned */
  close(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const chat = await this.lockVisible(tx, acting, chatId);
      if (!isOpen(chat.status)) return;
      await checkRight(tx, acting, chat);
      await this.closing.close(tx, context, chat);
    });
  }

  /** Opens a chat that has ended, for the agent. Nothing happens when the agent has it. @throws Problem not_found; already_assigned; conflict */
  reopen(acting: ActingAgent, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { chat, hasBot } = await this.transitions.lockExistingWithBot(tx, context, chatId);
      await this.checkVisible(tx, acting, chat);
      if (chat.agentId === context.actor.id) return;
      if (chat.agentId !== null) throw await alreadyAssigned(tx, context.organizationId, chat);
      if (isOpen(chat.status)) throw new Problem('conflict', `The chat is ${chat.status}`);
      await this.closing.reopen(tx, context, chat, hasBot);
    });
  }

  /**
   * Gives an open chat to an agent, whoever has it. Only supervisors may: the door checks it.
   * @throws Problem not_found for the chat or the agent; agent_unavailable; conflict for a chat that has ended
   */
  assign(acting: ActingAgent, chatId: string, agentId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.lockVisible(tx, acting, chatId);
      await this.give(tx, acting.context, chat, agentId);
    });
  }

  /**
   * Hands a chat to a group or to an agent: the agent's own, or any open one for a supervisor.
   * @throws Problem not_found for the chat, the group or the agent; not_assigned; agent_unavailable; conflict
   */
  transfer(acting: ActingAgent, chatId: string, { groupId, agentId, note = null }: AgentTransfer): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { context } = acting;
      const { organizationId } = context;
      const group = groupId === undefined ? null : await findGroup(tx, organizationId, groupId);
      const chat = await this.lockVisible(tx, acting, chatId);
      if (groupId !== undefined && !group) notFound('Group');
      if (isOpen(chat.status)) await checkRight(tx, acting, chat);
      if (agentId !== undefined) {
        return this.give(tx, context, chat, agentId, note);
      }
      checkOpen(chat);
      const isThere = chat.status === 'QUEUED' && chat.groupId === groupId;
      if (isThere) await this.handoffs.queueAgain(tx, context, chat, { summary: note });
      else await this.handoffs.move(tx, context, chat, { type: 'TRANSFER', group: group!, request: { summary: note } });
    });
  }

  private async give(
    tx: EntityManager,
    context: RequestContext,
    chat: LockedChat,
    agentId: string,
    note: string | null = null,
  ): Promise<void> {
    const { organizationId } = context;
    const agent = (await tx.findOneBy(Agent, { organizationId, id: agentId })) ?? notFound('Agent');
    checkOpen(chat);
    if (chat.agentId === agentId) {
      if (note !== null) await this.handoffs.keepNote(tx, context, chat, agentId, note);
      return;
    }
    if (!agent.isEnabled || !(await seesLocked(tx, organizationId, agent, chat))) {
      throw new Problem('agent_unavailable', 'The agent is disabled, or is not in the group of the chat');
    }
    await this.handoffs.move(tx, context, chat, {
      type: 'ASSIGN',
      agent: { id: agent.id, name: agent.name },
      how: 'ASSIGNED',
    });
    if (chat.agentId === null && note === null) return;
    await this.handoffs.keepNote(tx, context, chat, agentId, note);
  }

  private async take(acting: ActingAgent, chatId: string): Promise<void> {
    await this.checkUntaken(acting, chatId);
    await transaction(this.manager, async (tx) => {
      const { context } = acting;
      const chat = await this.lockVisible(tx, acting, chatId);
      if (chat.agentId === context.actor.id) return;
      checkOpen(chat);
      if (chat.agentId !== null) throw await alreadyAssigned(tx, context.organizationId, chat);
      const isOffered = chat.offer !== null && chat.offer.expiresAt > chat.now;
      if (isOffered && chat.offer!.agentId !== context.actor.id) throw await offered(tx, context, chat);
      await this.handoffs.move(tx, context, chat, {
        type: 'ASSIGN',
        agent: me(context),
        how: isOffered ? 'OFFERED' : 'CLAIMED',
      });
    });
  }

  private async checkUntaken({ context, role }: ActingAgent, chatId: string): Promise<void> {
    const { organizationId, actor } = context;
    const seesAll = seesAllGroups(role);
    const owner = await this.findOtherOwner({ organizationId, chatId, agentId: actor.id!, seesAll });
    if (owner) throw takenBy(owner);
  }

  private async lockVisible(tx: EntityManager, acting: ActingAgent, chatId: string): Promise<LockedChat> {
    const chat = await this.transitions.lockExisting(tx, acting.context, chatId);
    await this.checkVisible(tx, acting, chat);
    return chat;
  }

  private async checkVisible(tx: EntityManager, { context, role }: ActingAgent, chat: LockedChat): Promise<void> {
    const { organizationId, actor } = context;
    if (!(await seesLocked(tx, organizationId, { id: actor.id!, role }, chat))) notFound('Chat');
  }
}

/** Whether an agent may see a locked chat. The groups of an agent are read only when they decide. */
async function seesLocked(
  tx: EntityManager,
  organizationId: string,
  { id: agentId, role }: Pick<Agent, 'id' | 'role'>,
  chat: LockedChat,
): Promise<boolean> {
  const sees = (groupIds: string[]) => maySee({ agentId, role, groupIds: new Set(groupIds) }, chat);
  return sees([]) || ((await isInGroup(tx, organizationId, agentId, chat.groupId)) && sees([chat.groupId]));
}

/** The right to hand on or end an open chat: its agent has it, and supervisors. */
async function checkRight(tx: EntityManager, { context, role }: ActingAgent, chat: LockedChat): Promise<void> {
  if (chat.agentId === context.actor.id || isAtLeast(role, 'SUPERVISOR')) return;
  throw await notAssigned(tx, context.organizationId, chat);
}

const noop = () => undefined;

function checkOpen({ status }: LockedChat): void {
  if (!isOpen(status)) throw new Problem('conflict', `The chat is ${status}`);
}

/** The agent who does something, as the chat's new agent. */
export function me({ actor }: RequestContext): Named {
  return { id: actor.id!, name: actor.name ?? '' };
}

async function offered(tx: EntityManager, { organizationId }: RequestContext, { offer }: LockedChat): Promise<Problem> {
  const agent = await tx.findOneBy(Agent, { organizationId, id: offer!.agentId });
  return problemWith('offered', 'The chat is offered to another agent', {
    offeredTo: agent && { id: agent.id, name: agent.name },
    expiresAt: offer!.expiresAt.toISOString(),
  });
}
