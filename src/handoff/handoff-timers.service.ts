import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { AgentKey } from '../agents/presence.queries.js';
import { systemContext } from '../auth/context/request-context.js';
import { raiseRev } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ThisNode } from '../platform/cluster/this-node.js';
import { afterCommit, transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { Problem } from '../platform/errors/problem.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { AvailabilityService } from './availability.service.js';
import { HandoffMetrics } from './handoff-metrics.js';
import { HandoffsService } from './handoffs.service.js';
import { OffersService } from './offers.service.js';
import {
  adoptChats,
  correctLoad,
  type DueChat,
  type DueOffer,
  findDrift,
  forgetLeaver,
  isLost,
  listExpiredOffers,
  listLeavers,
  listLeftChats,
  listLostOffers,
  listUnanswered,
  markUnanswered,
} from './handoff-timers.queries.js';

/** Milliseconds between two looks for what is due: a time-out is seen at most 2 s late. */
const INTERVAL = 1_000;
const SPREAD = 0.3;
/** Milliseconds from the start to the first look: time may have passed while no node ran. */
const FIRST_LOOK = 100;
/** Milliseconds between two counts of the agents' loads, and looks for chats without a hand-off. */
const CHECK_INTERVAL = 60_000;
/** How many due rows are read at once. */
const BATCH = 100;
/** How many of them are acted on at a time: one whose chat is locked delays few others, and most connections stay free. */
const AT_ONCE = 4;

/** A row for which a time has come. */
type Due = DueChat | AgentKey;

/**
 * The time-outs of hand-offs (CONTRACT section 9). Each is a row with a time, compared with the database's clock; every node
 * looks, and the chat's lock decides which one acts. None lives in a process's memory, so none is lost with it.
 */
@Injectable()
export class HandoffTimers implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(HandoffTimers.name);
  private readonly job = new PeriodicJob(() => this.run(), INTERVAL, SPREAD);
  private readonly check = new PeriodicJob(() => this.runChecks(), CHECK_INTERVAL, SPREAD);
  private isFailing = false;

  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
    private readonly leaving: AgentLeavingService,
    private readonly availability: AvailabilityService,
    private readonly metrics: HandoffMetrics,
    private readonly node: ThisNode,
  ) {}

  onModuleInit(): void {
    this.job.start(FIRST_LOOK);
    // Soon after the start, because an upgrade leaves chats without hand-offs.
    this.check.start(INTERVAL);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.job.stop(), this.check.stop()]);
  }

  /** Does what is due. */
  private async run(): Promise<void> {
    await this.attempt(async () => {
      await this.forEach(listExpiredOffers, (due) => this.endOffer(due, 'EXPIRED'));
      await this.forEach(listUnanswered, (due) => this.answerNobody(due));
      await this.forAbsent(listLostOffers, (due) => this.endOffer(due, 'WITHDRAWN'));
      await this.forAbsent(listLeftChats, ({ organizationId, chatId }) =>
        this.leaving.queueLeftChat(organizationId, chatId),
      );
      await this.forEach(listLeavers, (leaver) => this.leave(leaver));
    });
  }

  /** Begins hand-offs for waiting chats that have none, and corrects counts of agents' chats that are wrong. */
  async runChecks(): Promise<void> {
    await this.attempt(async () => {
      while ((await adoptChats(this.manager, BATCH)) > 0 && !this.check.isStopped);
      for (const { organizationId, agentId } of await findDrift(this.manager)) {
        const isWrong = await transaction(this.manager, (tx) => correctLoad(tx, organizationId, agentId));
        if (!isWrong) continue;
        this.metrics.onCorrected();
        this.logger.warn({ organizationId, agentId }, "the count of an agent's chats was wrong, and is corrected");
      }
    });
  }

  // Asks before each kind, because the one before may have taken long.
  private async forAbsent<T extends Due>(
    list: (manager: EntityManager, limit: number, areNodesSettled: boolean) => Promise<T[]>,
    act: (due: T) => Promise<void>,
  ): Promise<void> {
    const isSettled = await this.node.isSettled();
    await this.forEach((manager, limit) => list(manager, limit, isSettled), act);
  }

  // One batch a run: what is left is due in the next run too, and a chat that fails again and again delays no other kind.
  private async forEach<T extends Due>(
    list: (manager: EntityManager, limit: number) => Promise<T[]>,
    act: (due: T) => Promise<void>,
  ): Promise<void> {
    const dues = (await list(this.manager, BATCH)).values();
    const actOnNext = async () => {
      for (const due of dues) {
        if (this.job.isStopped) return;
        await act(due).catch((error: unknown) => this.onFailed(error, due));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, actOnNext));
  }

  // Since it was listed, the offer may have ended and the chat been offered to another agent, or its agent be back.
  private endOffer({ organizationId, chatId, offerId }: DueOffer, reason: 'EXPIRED' | 'WITHDRAWN'): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lock(tx, systemContext(organizationId), chatId);
      const { offer, now } = chat;
      if (offer?.id !== offerId) return;
      const isOver = reason === 'EXPIRED' ? offer.expiresAt <= now : await isLost(tx, organizationId, offerId);
      if (isOver) await this.offers.end(tx, organizationId, chat, reason);
    });
  }

  private answerNobody({ organizationId, chatId }: DueChat): Promise<void> {
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

  // The node that changed the agent may have been killed before it queued the chats.
  private async leave(leaver: AgentKey): Promise<void> {
    await this.leaving.leaveGroups(leaver.organizationId, leaver.agentId);
    await forgetLeaver(this.manager, leaver);
  }

  private onFailed(err: unknown, due: Due): void {
    // Erased or removed meanwhile.
    if (err instanceof Problem && err.status < 500) return;
    this.logger.warn({ err, ...due }, 'a time-out was not handled; it is tried again');
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped)
        this.logger.warn({ err }, 'time-outs of hand-offs were not looked for');
      this.isFailing = true;
    }
  }
}
