import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { AgentsService } from '../agents/agents.service.js';
import { systemContext } from '../auth/context/request-context.js';
import type { UnassignReason } from '../chats/model/chat-transitions.js';
import {
  findChatsOfAgent,
  findPendingOffers,
  findUnseenChats,
  type LockedChat,
} from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { transaction } from '../platform/database/transaction.js';
import { HandoffsService } from './handoffs.service.js';
import { removeEndedOffers } from './offers.queries.js';
import { OffersService } from './offers.service.js';
import { findLeftChat, type LeftChat } from './handoff-timers.queries.js';

/** How many chats of an agent are read at once. */
const BATCH = 100;

/** Queues the chats of agents who are gone, each in a transaction of its own. */
@Injectable()
export class AgentLeavingService {
  /** The agents who are being removed, and so are disabled already: the timers of this node may be first to queue their chats. */
  private readonly removing = new Set<string>();

  constructor(
    private readonly manager: EntityManager,
    private readonly agents: AgentsService,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
  ) {}

  /**
   * Removes an agent: disables the agent first, so that no chat comes any more while the chats are queued.
   * @param alongside work in the transaction that disables the agent, before it does
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

  /** Queues chats of an agent, up to a hundred; returns how many. */
  async queueChats(organizationId: string, agentId: string, reason: UnassignReason): Promise<number> {
    const ids = await findChatsOfAgent(this.manager, organizationId, agentId, BATCH);
    for (const id of ids) await this.queueChat(organizationId, agentId, id, reason);
    return ids.length;
  }

  /** Queues a chat whose agent is disabled or was offline for too long, unless the agent is back. */
  queueLeftChat(organizationId: string, chatId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      const left = await findLeftChat(tx, organizationId, chatId);
      if (left) await this.take(tx, organizationId, chat, left);
    });
  }

  private queueChat(organizationId: string, agentId: string, chatId: string, reason: UnassignReason): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      if (chat.agentId === agentId) await this.take(tx, organizationId, chat, { agentId, reason });
    });
  }

  private async take(
    tx: EntityManager,
    organizationId: string,
    chat: LockedChat,
    { agentId, reason }: Pick<LeftChat, 'agentId' | 'reason'>,
  ): Promise<void> {
    const { name } = await tx.findOneByOrFail(Agent, { organizationId, id: agentId });
    const why = reason === 'DISABLED' && this.removing.has(agentId) ? 'DELETED' : reason;
    await this.handoffs.move(tx, systemContext(organizationId), chat, {
      type: 'UNASSIGN',
      from: { id: agentId, name },
      reason: why,
    });
  }

  /** Queues the chats of an agent, and withdraws the offers, in groups that the agent has left. */
  async leaveGroups(organizationId: string, agentId: string): Promise<void> {
    const context = systemContext(organizationId);
    for (const chatId of await findUnseenChats(this.manager, organizationId, agentId)) {
      await this.queueChat(organizationId, agentId, chatId, 'LEFT_GROUP');
      await transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lock(tx, context, chatId);
        if (chat.offer?.agentId === agentId) await this.offers.end(tx, organizationId, chat, 'WITHDRAWN');
      });
    }
  }

  /** Withdraws the offers that wait for an agent's answer. */
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
