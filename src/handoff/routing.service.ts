import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { AgentChanged, AgentPresenceChanged } from '../agents/agents.events.js';
import { systemContext } from '../auth/request-context.js';
import type { QueueChanged } from '../chats/chats.events.js';
import { ChatTransitions } from '../chats/chat-transitions.service.js';
import type { GroupChanged } from '../groups/groups.events.js';
import { transaction } from '../platform/database/transaction.js';
import { Problem } from '../platform/http/problem.js';
import { OnDomainEvent } from '../platform/lib/domain-events.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { HandoffsService } from './handoffs.service.js';
import { findNext, pickAgent, tryLock } from './offers.queries.js';
import { OffersService } from './offers.service.js';
import { listWaiting } from './routing.queries.js';

/** Milliseconds between two looks at every organization in which a chat waits that routing may give away; with the spread under 5 s. */
const SWEEP = 4_000;
const SPREAD = 0.2;
/** Milliseconds before what failed, because the database is away, is tried again. */
const RETRY = 1_000;
/** Milliseconds before chats are looked at again that could not be given because other nodes held them or their agents. */
const BUSY = 250;
/** How many chats of an organization a node gives away at a time. */
const AT_ONCE = 3;

/**
 * Gives waiting chats to agents, or offers them, as their groups say (CONTRACT section 9). It is level-triggered: each run
 * looks at what waits and who is free now. Whatever may let a chat go on wakes it, and a sweep does the same.
 */
@Injectable()
export class RoutingService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RoutingService.name);
  private readonly job = new PeriodicJob(() => this.sweep(), SWEEP, SPREAD);
  /** The organizations that are being routed, and whether another run must follow. */
  private readonly runs = new Map<string, { isWanted: boolean; done: Promise<void> }>();
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
    private readonly leaving: AgentLeavingService,
  ) {}

  onModuleInit(): void {
    this.job.start(RETRY);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.job.stop();
    await Promise.all(Array.from(this.runs.values(), ({ done }) => done));
  }

  @OnDomainEvent('queue.changed')
  onQueueChanged({ organizationId }: QueueChanged): void {
    this.wake(organizationId);
  }

  // An agent who joined a group, has more room or was enabled can take what waits.
  @OnDomainEvent('agent.changed')
  onAgentChanged({ organizationId, rights }: AgentChanged): void {
    if (rights) this.wake(organizationId);
  }

  @OnDomainEvent('group.changed')
  onGroupChanged({ organizationId }: GroupChanged): void {
    this.wake(organizationId);
  }

  @OnDomainEvent('agent.presenceChanged')
  async onPresenceChanged({ organizationId, agentId, presence }: AgentPresenceChanged): Promise<void> {
    if (presence === 'ONLINE') return this.wake(organizationId);
    await this.leaving.withdrawOffers(organizationId, agentId).catch((error: unknown) => this.warn(error));
  }

  /** Routes the chats of an organization soon. */
  wake(organizationId: string): void {
    if (this.isStopping) return;
    const run = this.runs.get(organizationId);
    if (run) run.isWanted = true;
    else this.runs.set(organizationId, { isWanted: false, done: this.run(organizationId) });
  }

  private async run(organizationId: string): Promise<void> {
    // The entry of this run is made after the first await.
    await Promise.resolve();
    try {
      do {
        this.runs.get(organizationId)!.isWanted = false;
        await this.route(organizationId);
      } while (this.runs.get(organizationId)!.isWanted && !this.isStopping);
      this.isFailing = false;
    } catch (error) {
      this.onFailed(error, () => this.wake(organizationId));
    } finally {
      this.runs.delete(organizationId);
    }
  }

  /** Gives away what can be given away now. A chat that cannot is left to the next run, which comes soon if it was held elsewhere. */
  private async route(organizationId: string): Promise<void> {
    const taken = new Set<string>();
    let isBusy = false;
    const giveOn = async () => {
      while (!this.isStopping) {
        const chatId = await findNext(this.manager, organizationId, [...taken]);
        if (chatId === null) return;
        if (taken.has(chatId)) continue;
        taken.add(chatId);
        const isGiven = await this.routeChat(organizationId, chatId).catch((error: unknown) =>
          this.onChatFailed(error, chatId),
        );
        if (isGiven) taken.delete(chatId);
        if (isGiven === false) isBusy = true;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, giveOn));
    if (isBusy) setTimeout(() => this.wake(organizationId), BUSY).unref();
  }

  private routeChat(organizationId: string, chatId: string): Promise<boolean> {
    const context = systemContext(organizationId);
    return transaction(this.manager, async (tx) => {
      // Several nodes route at the same time: each takes another chat.
      if (!(await tryLock(tx, organizationId, chatId))) return false;
      const chat = await this.transitions.lock(tx, context, chatId);
      if (chat.status !== 'QUEUED' || chat.offer || !chat.handoff) return false;
      const agent = await pickAgent(tx, organizationId, chatId);
      if (!agent) return false;
      if (agent.routing === 'OFFER') await this.offers.make(tx, organizationId, chat, agent);
      else await this.handoffs.assign(tx, context, chat, { id: agent.id, name: agent.name }, 'AUTOMATIC');
      return true;
    });
  }

  private async sweep(): Promise<void> {
    try {
      if (this.isStopping) return;
      for (const organizationId of await listWaiting(this.manager)) this.wake(organizationId);
    } catch (error) {
      this.onFailed(error, () => void this.job.run());
    }
  }

  // The chats behind one that fails go on.
  private onChatFailed(err: unknown, chatId: string): null {
    // A chat that was erased or removed meanwhile is no failure.
    if (!(err instanceof Problem && err.status < 500)) this.warn(err, chatId);
    return null;
  }

  private onFailed(err: unknown, again: () => void): void {
    if (!this.isFailing) this.warn(err);
    this.isFailing = true;
    if (!this.isStopping) setTimeout(again, RETRY).unref();
  }

  private warn(err: unknown, chatId?: string): void {
    if (!this.isStopping) this.logger.warn({ err, chatId }, 'waiting chats were not routed; it is tried again');
  }
}
