import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { AgentChanged, AgentPresenceChanged } from '../agents/agents.events.js';
import { systemContext } from '../auth/context/request-context.js';
import type { QueueChanged } from '../chats/model/chats.events.js';
import { lockChat } from '../chats/moves/chat-transitions.queries.js';
import type { GroupChanged } from '../groups/groups.events.js';
import { isDatabaseAway } from '../platform/database/database-problem.js';
import { transaction } from '../platform/database/transaction.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { HandoffsService } from './handoffs.service.js';
import { ChatOffers } from '../chats/moves/chat-offers.service.js';
import { findNext, listWaiting, pickAgent, tryLock } from './routing.queries.js';

/** Milliseconds between two looks at every organization in which a chat waits that routing may give away; with the spread under 5 s. */
const SWEEP = 4_000;
const SPREAD = 0.2;
/** Milliseconds before another attempt after one that failed. */
const RETRY = 1_000;
/** The attempts in a row that fail before the chats behind one go on, and for how many milliseconds it's skipped then. */
const MAX_FAILURES = 3;
const SKIP = 30_000;

/** What a node is doing for an organization. */
interface Routing {
  /** Whether its lane runs, or waits for another attempt. */
  isBusy: boolean;
  /** Whether something changed after the lane looked. */
  isWanted: boolean;
  /** The chat that failed last, and how many times in a row. */
  failed: { chatId: string; times: number } | null;
  /** Chats that failed too often a moment ago: they don't hold up those behind them. */
  skipped: Set<string>;
}

/**
 * Gives waiting chats to agents, or offers them, as their groups say (CONTRACT section 9). It is level-triggered: any change
 * that could unblock a waiting chat triggers it, and a sweep catches the rest.
 *
 * Invariant: a chat is never passed over by a younger one that goes to an agent who could take the older one. So each node has one
 * lane for an organization, which gives away one chat after the other, and every lane wants the same chat: the one that has
 * waited longest among those that an agent can take now. A lane that finds it locked waits for it, and looks again.
 */
@Injectable()
export class RoutingService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RoutingService.name);
  private readonly job = new PeriodicJob(() => this.sweep(), SWEEP, SPREAD);
  /** By organization. */
  private readonly routings = new Map<string, Routing>();
  private readonly lanes = new Set<Promise<void>>();
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly manager: EntityManager,
    private readonly handoffs: HandoffsService,
    private readonly offers: ChatOffers,
    private readonly leaving: AgentLeavingService,
  ) {}

  onModuleInit(): void {
    this.job.start(RETRY);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.job.stop();
    await Promise.all(this.lanes);
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
    const routing = this.routings.get(organizationId) ?? newRouting();
    this.routings.set(organizationId, routing);
    routing.isWanted = true;
    if (routing.isBusy) return;
    routing.isBusy = true;
    const lane = this.run(organizationId, routing).finally(() => this.lanes.delete(lane));
    this.lanes.add(lane);
  }

  private async run(organizationId: string, routing: Routing): Promise<void> {
    try {
      while (routing.isWanted && !this.isStopping) {
        routing.isWanted = false;
        while (!this.isStopping && (await this.routeNext(organizationId, routing)));
      }
      this.isFailing = false;
      this.rest(organizationId, routing);
    } catch (error) {
      this.warnOnce(error);
      setTimeout(() => {
        this.rest(organizationId, routing);
        this.wake(organizationId);
      }, RETRY).unref();
    }
  }

  private rest(organizationId: string, routing: Routing): void {
    routing.isBusy = false;
    if (routing.skipped.size === 0 && !routing.failed) this.routings.delete(organizationId);
  }

  /** Gives away the chat whose turn it is. Returns whether to look for another one. */
  private async routeNext(organizationId: string, routing: Routing): Promise<boolean> {
    const except = [...routing.skipped];
    let chatId: string | null = null;
    try {
      const hasMore = await transaction(this.manager, async (tx) => {
        chatId = await findNext(tx, organizationId, except);
        if (chatId === null) return false;
        const isNext =
          (await tryLock(tx, organizationId, chatId)) || (await this.waitForTurn(tx, organizationId, chatId, except));
        if (isNext) await this.giveAway(tx, organizationId, chatId);
        return true;
      });
      routing.failed = null;
      return hasMore;
    } catch (error) {
      if (chatId !== null && !isDatabaseAway(error)) this.noteFailure(organizationId, routing, chatId, error);
      throw error;
    }
  }

  /** Waits for another transaction that has the chat. Returns whether it is still the chat's turn. */
  private async waitForTurn(
    tx: EntityManager,
    organizationId: string,
    chatId: string,
    except: readonly string[],
  ): Promise<boolean> {
    await lockChat(tx, organizationId, chatId);
    return (await findNext(tx, organizationId, except)) === chatId;
  }

  // The chat may have left the queue, or the agents may have become busy, since it was found: then its lane looks again.
  private async giveAway(tx: EntityManager, organizationId: string, chatId: string): Promise<void> {
    const chat = await lockChat(tx, organizationId, chatId);
    if (!chat || chat.erasedAt || chat.status !== 'QUEUED' || chat.offer || !chat.handoff) return;
    const agent = await pickAgent(tx, organizationId, chatId);
    if (!agent) return;
    if (agent.routing === 'OFFER') return this.offers.make(tx, organizationId, chat, agent);
    const { id, name } = agent;
    await this.handoffs.move(tx, systemContext(organizationId), chat, {
      type: 'ASSIGN',
      agent: { id, name },
      how: 'AUTOMATIC',
    });
  }

  private noteFailure(organizationId: string, routing: Routing, chatId: string, err: unknown): void {
    const times = routing.failed?.chatId === chatId ? routing.failed.times + 1 : 1;
    routing.failed = { chatId, times };
    if (times < MAX_FAILURES) return;
    this.logger.warn({ err, chatId }, `a waiting chat could not be routed; it is skipped for ${SKIP / 1000} s`);
    routing.failed = null;
    routing.skipped.add(chatId);
    setTimeout(() => {
      routing.skipped.delete(chatId);
      this.wake(organizationId);
    }, SKIP).unref();
  }

  private async sweep(): Promise<void> {
    try {
      if (this.isStopping) return;
      for (const organizationId of await listWaiting(this.manager)) this.wake(organizationId);
    } catch (error) {
      this.warnOnce(error);
      if (!this.isStopping) setTimeout(() => void this.job.run(), RETRY).unref();
    }
  }

  private warnOnce(err: unknown): void {
    if (!this.isFailing) this.warn(err);
    this.isFailing = true;
  }

  private warn(err: unknown): void {
    if (!this.isStopping) this.logger.warn({ err }, 'waiting chats were not routed; it is tried again');
  }
}

function newRouting(): Routing {
  return { isBusy: false, isWanted: false, failed: null, skipped: new Set() };
}
