import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { AgentKey } from '../agents/presence.queries.js';
import { systemContext } from '../auth/context/request-context.js';
import { raiseRev } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ThisNode } from '../platform/cluster/this-node.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { afterCommit, transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { Problem } from '../platform/errors/problem.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { AvailabilityService } from './availability.service.js';
import { HandoffMetrics } from './handoff-metrics.js';
import { HandoffsService } from './handoffs.service.js';
import { OffersService } from './offers.service.js';
import { PersonRequestsService } from './person-requests.service.js';
import {
  startMissingHandoffs,
  correctLoad,
  type DueChat,
  type DueKind,
  type DueOffer,
  findDueKinds,
  findDrift,
  clearGroupsLeft,
  isToWithdraw,
  listExpiredOffers,
  listAgentsWhoLeftGroups,
  listDueSnoozes,
  listAbandonedChats,
  listOffersToWithdraw,
  listPersonRequests,
  listUnanswered,
  markUnanswered,
} from './handoff-timers.queries.js';

/** Milliseconds between two runs: a time-out fires at most 2 s late. */
const INTERVAL_MS = 1_000;
/** Intervals vary at random by this share. */
const JITTER = 0.3;
/** Milliseconds from the start to the first run: deadlines may have passed while no node ran. */
const FIRST_RUN_MS = 100;
/** Milliseconds between two checks of agents' counters and of chats without a hand-off. */
const CHECK_INTERVAL_MS = 60_000;
/** The most due rows that one query reads. */
const BATCH = 100;
/** How many due rows are handled at the same time. */
const CONCURRENCY = 4;

/** A row that is due. */
type Due = DueChat | AgentKey;

/**
 * The time-outs of hand-offs (CONTRACT: Routing). Each is a row with a time, compared with the database's clock. Every node
 * polls, and the chat's lock decides which one acts. No timer lives in a process's memory, so none is lost with it.
 */
@Injectable()
export class HandoffTimers implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(HandoffTimers.name);
  private readonly job = new PeriodicJob(() => this.run(), INTERVAL_MS, JITTER);
  private readonly check = new PeriodicJob(() => this.runChecks(), CHECK_INTERVAL_MS, JITTER);
  private isFailing = false;
  private readonly sweeps: Record<DueKind, () => Promise<void>> = {
    expiredOffers: () => this.forEach(listExpiredOffers, (due) => this.endOffer(due, 'EXPIRED')),
    unanswered: () => this.forEach(listUnanswered, (due) => this.handleUnanswered(due)),
    personRequests: () => this.forEach(listPersonRequests, (due) => this.people.transfer(due)),
    snoozes: () => this.wakeSnoozed(),
    offersToWithdraw: () => this.forEachAbsence(listOffersToWithdraw, (due) => this.endOffer(due, 'WITHDRAWN')),
    abandonedChats: () =>
      this.forEachAbsence(listAbandonedChats, ({ organizationId, chatId }) =>
        this.leaving.queueAbandonedChat(organizationId, chatId),
      ),
    leftGroups: () => this.forEach(listAgentsWhoLeftGroups, (agent) => this.leaveGroups(agent)),
  };

  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
    private readonly leaving: AgentLeavingService,
    private readonly people: PersonRequestsService,
    private readonly availability: AvailabilityService,
    private readonly metrics: HandoffMetrics,
    private readonly node: ThisNode,
  ) {}

  onModuleInit(): void {
    this.job.start(FIRST_RUN_MS);
    // Soon after the start, because an upgrade can leave chats without hand-offs.
    this.check.start(INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.job.stop(), this.check.stop()]);
  }

  private async run(): Promise<void> {
    await this.attempt(async () => {
      for (const kind of await findDueKinds(this.manager)) await this.sweeps[kind]();
    });
  }

  /** Starts hand-offs for waiting chats that have none, and corrects agents' counters. */
  async runChecks(): Promise<void> {
    await this.attempt(async () => {
      while ((await startMissingHandoffs(this.manager, BATCH)) > 0 && !this.check.isStopped);
      for (const { organizationId, agentId } of await findDrift(this.manager)) {
        const isWrong = await transaction(this.manager, (tx) => correctLoad(tx, organizationId, agentId));
        if (!isWrong) continue;
        this.metrics.onCorrected();
        this.logger.warn({ organizationId, agentId }, "an agent's chat count was wrong and has been corrected");
      }
    });
  }

  // Checks before each kind, because the previous kind may have taken long.
  private async forEachAbsence<T extends Due>(
    list: (manager: EntityManager, limit: number, areNodesSettled: boolean) => Promise<T[]>,
    act: (due: T) => Promise<void>,
  ): Promise<void> {
    const isSettled = await this.node.isSettled();
    await this.forEach((manager, limit) => list(manager, limit, isSettled), act);
  }

  private forEach<T extends Due>(
    list: (manager: EntityManager, limit: number) => Promise<T[]>,
    act: (due: T) => Promise<void>,
  ): Promise<void> {
    return handleDueRows(
      {
        list: (limit) => list(this.manager, limit),
        handle: act,
        onError: (error, due) => this.onFailed(error, due),
        isStopped: () => this.job.isStopped,
      },
      { limit: BATCH, concurrency: CONCURRENCY },
    );
  }

  // Since it was listed, the offer may have ended, the chat may be offered to another agent, or its agent may have returned.
  private endOffer({ organizationId, chatId, offerId }: DueOffer, reason: 'EXPIRED' | 'WITHDRAWN'): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      const { offer, now } = chat;
      if (offer?.id !== offerId) return;
      const isOver = reason === 'EXPIRED' ? offer.expiresAt <= now : await isToWithdraw(tx, organizationId, offerId);
      if (isOver) await this.offers.end(tx, organizationId, chat, reason);
    });
  }

  private handleUnanswered({ organizationId, chatId }: DueChat): Promise<void> {
    const context = systemContext(organizationId);
    return transaction(this.manager, async (tx) => {
      const { chat, hasBot } = await this.transitions.lockWithBot(tx, context, chatId);
      const { handoff, now } = chat;
      if (!handoff?.dueAt || handoff.unansweredAt || handoff.dueAt > now) return;
      await markUnanswered(tx, organizationId, handoff.id, now);
      await raiseRev(tx, organizationId, chatId);
      const group = await this.availability.find(organizationId, chat.groupId, tx);
      const isReturned = handoff.onUnanswered === 'RETURN_TO_BOT' && hasBot;
      const availability = group?.availability ?? 'OFFLINE';
      await this.handoffs.move(tx, context, chat, { type: 'UNANSWERED', availability, isReturned });
      afterCommit(tx, () => this.metrics.onUnanswered());
    });
  }

  // The node that changed the agent may have died before it queued the chats.
  private async leaveGroups(agent: AgentKey): Promise<void> {
    await this.leaving.leaveGroups(agent.organizationId, agent.agentId);
    await clearGroupsLeft(this.manager, agent);
  }

  private async wakeSnoozed(): Promise<void> {
    const isSettled = await this.node.isSettled();
    await this.forEach(listDueSnoozes, (due) => this.leaving.wake(due, isSettled));
  }

  private onFailed(err: unknown, due: Due): void {
    // The chat was erased or removed.
    if (err instanceof Problem && err.status < 500) return;
    this.logger.warn({ err, ...due }, 'failed to handle a time-out; it will be retried');
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped)
        this.logger.warn({ err }, 'failed to poll the time-outs of hand-offs');
      this.isFailing = true;
    }
  }
}
