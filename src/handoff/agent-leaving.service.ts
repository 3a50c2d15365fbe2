import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { AgentsService } from '../agents/agents.service.js';
import { systemContext } from '../auth/context/request-context.js';
import type { UnassignReason } from '../chats/model/handoff.entity.js';
import {
  findChatsOfAgent,
  findPendingOffers,
  findUnseenChats,
  type LockedChat,
} from '../chats/moves/chat-transitions.queries.js';
import { ChatSnoozes } from '../chats/moves/chat-snoozes.service.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { transaction } from '../platform/database/transaction.js';
import { HandoffsService } from './handoffs.service.js';
import { removeEndedOffers } from './offers.queries.js';
import { OffersService } from './offers.service.js';
import { type AbandonedChat, type DueChat, findAbandonedChat, findRefusal } from './handoff-timers.queries.js';

/** The most chats of an agent that one query reads. */
const BATCH = 100;

/** Queues the chats of agents who can no longer serve them, each chat in its own transaction. */
@Injectable()
export class AgentLeavingService {
  /** Agents being removed. They are already disabled, so this node's timers may queue their chats first. */
  private readonly removing = new Set<string>();

  constructor(
    private readonly manager: EntityManager,
    private readonly agents: AgentsService,
    private readonly transitions: ChatTransitions,
    private readonly snoozes: ChatSnoozes,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
  ) {}

  /**
   * Removes an agent. Disables the agent first, so that no new chat is assigned while the chats are queued.
   * @param alongside work in the transaction that disables the agent, done before that
   * @throws Problem not_found
   */
  async remove(
    organizationId: string,
    agentId: string,
    alongside: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    this.removing.add(agentId);
    try {
      await transaction(this.manager, async (tx) => {
        await alongside(tx);
        await tx.update(Agent, { organizationId, id: agentId }, { isEnabled: false });
      });
      await this.withdrawOffers(organizationId, agentId);
      for (let left = BATCH; left > 0;) left = await this.queueChats(organizationId, agentId, 'DELETED');
      await removeEndedOffers(this.manager, organizationId, agentId);
      await transaction(this.manager, (tx) => this.agents.remove(tx, organizationId, agentId));
    } finally {
      this.removing.delete(agentId);
    }
  }

  /** Queues up to a hundred of an agent's chats. Returns how many. */
  async queueChats(organizationId: string, agentId: string, reason: UnassignReason): Promise<number> {
    const ids = await findChatsOfAgent(this.manager, organizationId, agentId, BATCH);
    for (const id of ids) await this.queueChat(organizationId, agentId, id, reason);
    return ids.length;
  }

  /** Queues a chat whose agent is disabled or was offline for too long, unless the agent has returned. */
  queueAbandonedChat(organizationId: string, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      const abandoned = await findAbandonedChat(tx, organizationId, chatId);
      if (abandoned) await this.queueLocked(tx, organizationId, chat, abandoned);
    });
  }

  /**
   * Wakes a snoozed chat that is due. It stays with its agent, or waits if the agent has no room or can't serve it.
   * @param areNodesSettled whether absence can be trusted (`ThisNode.isSettled`)
   */
  wake(due: DueChat, areNodesSettled: boolean): Promise<void> {
    const { organizationId, chatId } = due;
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      if (!chat.snoozedUntil || chat.snoozedUntil > chat.now) return;
      const reason = await findRefusal(tx, due, areNodesSettled);
      if (reason) await this.queueLocked(tx, organizationId, chat, { agentId: chat.agentId!, reason });
      else await this.snoozes.wake(tx, organizationId, chat);
    });
  }

  private queueChat(organizationId: string, agentId: string, chatId: string, reason: UnassignReason): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      if (chat.agentId === agentId) await this.queueLocked(tx, organizationId, chat, { agentId, reason });
    });
  }

  private async queueLocked(
    tx: EntityManager,
    organizationId: string,
    chat: LockedChat,
    { agentId, reason }: Pick<AbandonedChat, 'agentId' | 'reason'>,
  ): Promise<void> {
    const { name } = await tx.findOneByOrFail(Agent, { organizationId, id: agentId });
    const why = reason === 'DISABLED' && this.removing.has(agentId) ? 'DELETED' : reason;
    await this.handoffs.move(tx, systemContext(organizationId), chat, {
      type: 'UNASSIGN',
      from: { id: agentId, name },
      reason: why,
    });
  }

  /** Queues an agent's chats, and withdraws the offers, in groups that the agent has left. */
  async leaveGroups(organizationId: string, agentId: string): Promise<void> {
    const context = systemContext(organizationId);
    for (const chatId of await findUnseenChats(this.manager, organizationId, agentId)) {
      await transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lock(tx, context, chatId);
        // The agent may have joined the group again since.
        if ((await findUnseenChats(tx, organizationId, agentId, chatId)).length === 0) return;
        if (chat.agentId === agentId)
          await this.queueLocked(tx, organizationId, chat, { agentId, reason: 'LEFT_GROUP' });
        if (chat.offer?.agentId === agentId) await this.offers.end(tx, organizationId, chat, 'WITHDRAWN');
      });
    }
  }

  /** Withdraws an agent's pending offers. */
  async withdrawOffers(organizationId: string, agentId: string): Promise<void> {
    const context = systemContext(organizationId);
    for (const { id, chatId } of await findPendingOffers(this.manager, organizationId, agentId)) {
      await transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lock(tx, context, chatId);
        if (chat.offer?.id === id) await this.offers.end(tx, organizationId, chat, 'WITHDRAWN');
      });
    }
  }
}
