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
/** Milliseconds before a chat is looked at again that could not be given because another node held it or its agent. */
const BUSY = 250;
/** How many chats of an organization a node gives away at a time. */
const AT_ONCE = 3;

/** What a node is doing for an organization. */
interface Routing {
  /** The lanes that run; each gives away one chat after the other. */
  lanes: Set<Promise<void>>;
  /** Whether something changed after the lanes looked. */
  isWanted: boolean;
  /** The chats that no lane looks for: one has it, or could not give it a moment ago. */
  leftAlone: Set<string>;
}

/**
 * Gives waiting chats to agents, or offers them, as their groups say (CONTRACT section 9). It is level-triggered: each run
 * looks at what waits and who is free now. Whatever may let a chat go on wakes it, and a sweep does the same.
 */
@Injectable()
export class RoutingService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RoutingService.name);
  private readonly job = new PeriodicJob(() => this.sweep(), SWEEP, SPREAD);
  /** By organization. */
  private readonly routings = new Map<string, Routing>();
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
    await Promise.all([...this.routings.values()].flatMap(({ lanes }) => [...lanes]));
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
    const routing = this.routings.get(organizationId) ?? { lanes: new Set(), isWanted: false, leftAlone: new Set() };
    this.routings.set(organizationId, routing);
    if (routing.lanes.size < AT_ONCE) this.startLane(organizationId, routing);
    else routing.isWanted = true;
  }

  private startLane(organizationId: string, routing: Routing): void {
    const lane = this.run(organizationId, routing).finally(() => {
      routing.lanes.delete(lane);
      if (routing.isWanted) this.wake(organizationId);
      else if (routing.lanes.size === 0 && routing.leftAlone.size === 0) this.routings.delete(organizationId);
    });
    routing.lanes.add(lane);
  }

  private async run(organizationId: string, routing: Routing): Promise<void> {
    try {
      while (!this.isStopping) {
        routing.isWanted = false;
        const chatId = await findNext(this.manager, organizationId, [...routing.leftAlone]);
        if (chatId === null && !routing.isWanted) break;
        if (chatId !== null && !routing.leftAlone.has(chatId)) await this.giveOn(organizationId, routing, chatId);
      }
      this.isFailing = false;
    } catch (error) {
      this.onFailed(error, () => this.wake(organizationId));
    }
  }

  /** Gives away one chat, with another lane for those behind it. One that cannot be given is tried again soon. */
  private async giveOn(organizationId: string, routing: Routing, chatId: string): Promise<void> {
    const { leftAlone } = routing;
    leftAlone.add(chatId);
    this.wake(organizationId);
    const isGiven = await this.routeChat(organizationId, chatId).catch((error: unknown) =>
      this.onChatFailed(error, chatId),
    );
    if (isGiven) return void leftAlone.delete(chatId);
    const again = () => {
      leftAlone.delete(chatId);
      this.wake(organizationId);
    };
    setTimeout(again, isGiven === false ? BUSY : RETRY).unref();
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
