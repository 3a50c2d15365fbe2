import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { AgentChanged, AgentPresenceChanged } from '../agents/agents.events.js';
import { systemContext } from '../auth/context/request-context.js';
import type { QueueChanged } from '../chats/model/chats.events.js';
import { lockChat } from '../chats/moves/chat-transitions.queries.js';
import type { GroupChanged } from '../groups/groups.events.js';
import { isDatabaseAway } from '../platform/database/database-problem.js';
import { POOL } from '../platform/database/pool.js';
import { clientOf, transaction } from '../platform/database/transaction.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { AgentLeavingService } from './agent-leaving.service.js';
import { HandoffsService } from './handoffs.service.js';
import { ChatOffers } from '../chats/moves/chat-offers.service.js';
import { findNext, listWaiting, pickAgent } from './routing.queries.js';

/** Milliseconds between two sweeps over all organizations with waiting chats; with the jitter, under 5 s. */
const SWEEP_MS = 4_000;
/** Intervals vary at random by this share. */
const JITTER = 0.2;
/** Milliseconds before a failed attempt is retried. */
const RETRY_MS = 1_000;
/** After this many failures in a row, a chat is skipped for `SKIP_MS`, so that the chats behind it can proceed. */
const MAX_FAILURES = 3;
const SKIP_MS = 30_000;

/** A node's routing of one organization. */
interface Routing {
  /** Whether its worker runs, or waits for a retry. */
  isBusy: boolean;
  /** Whether something changed since the worker last checked. */
  isWanted: boolean;
  /** The last chat that failed, and how many times in a row. */
  failed: { chatId: string; times: number } | null;
  /** Chats to skip, because their last attempts failed. They don't block those behind them. */
  skipped: Set<string>;
}

/**
 * Assigns waiting chats to agents, or offers them, as their groups say (CONTRACT: Routing). It is level-triggered: any change
 * that could unblock a waiting chat triggers routing. A sweep every 5 seconds catches the rest.
 *
 * Invariant: a younger chat never goes to an agent who could have taken an older one. So each node has one worker for an
 * organization, which routes one chat after another, and all workers pick the same chat: the longest-waiting one that an agent
 * can take now. Once it has locked the chat and the agent, it checks that this is still the one.
 */
@Injectable()
export class RoutingService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RoutingService.name);
  private readonly job = new PeriodicJob(() => this.sweep(), SWEEP_MS, JITTER);
  /** By organization. */
  private readonly routings = new Map<string, Routing>();
  private readonly workers = new Set<Promise<void>>();
  private isStopping = false;
  private isFailing = false;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly handoffs: HandoffsService,
    private readonly offers: ChatOffers,
    private readonly leaving: AgentLeavingService,
  ) {}

  onModuleInit(): void {
    this.job.start(RETRY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.job.stop();
    await Promise.all(this.workers);
  }

  @OnDomainEvent('queue.changed')
  onQueueChanged({ organizationId }: QueueChanged): void {
    this.wake(organizationId);
  }

  // An agent who joined a group, got more room, or was enabled may take a waiting chat.
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
    const worker = this.run(organizationId, routing).finally(() => this.workers.delete(worker));
    this.workers.add(worker);
  }

  private async run(organizationId: string, routing: Routing): Promise<void> {
    try {
      while (routing.isWanted && !this.isStopping) {
        routing.isWanted = false;
        while (!this.isStopping && (await this.routeNext(organizationId, routing)));
      }
      this.isFailing = false;
      this.finish(organizationId, routing);
    } catch (error) {
      this.warnOnce(error);
      setTimeout(() => {
        this.finish(organizationId, routing);
        this.wake(organizationId);
      }, RETRY_MS).unref();
    }
  }

  private finish(organizationId: string, routing: Routing): void {
    routing.isBusy = false;
    if (routing.skipped.size === 0 && !routing.failed) this.routings.delete(organizationId);
  }

  /** Routes the next chat. Returns whether to continue with another one. */
  private async routeNext(organizationId: string, routing: Routing): Promise<boolean> {
    const except = [...routing.skipped];
    // Most changes leave nothing to route, so a transaction begins only for a chat.
    const chatId = await findNext(this.pool, organizationId, except);
    if (chatId !== null) await this.tryRoute(organizationId, routing, chatId, except);
    routing.failed = null;
    return chatId !== null;
  }

  private async tryRoute(
    organizationId: string,
    routing: Routing,
    chatId: string,
    except: readonly string[],
  ): Promise<void> {
    try {
      await transaction(this.manager, async (tx) => {
        const isStillNext = async () => (await findNext(await clientOf(tx), organizationId, except)) === chatId;
        await this.route(tx, organizationId, chatId, isStillNext);
      });
    } catch (error) {
      if (!isDatabaseAway(error)) this.noteFailure(organizationId, routing, chatId, error);
      throw error;
    }
  }

  // The worker picks again if the chat has left the queue since it was found, if no agent has room, or if the agent could take an
  // older chat by now: another transaction may have held the locks for a while, or an agent got room since then.
  private async route(
    tx: EntityManager,
    organizationId: string,
    chatId: string,
    isStillNext: () => Promise<boolean>,
  ): Promise<void> {
    const chat = await lockChat(tx, organizationId, chatId);
    if (!chat || chat.erasedAt || chat.status !== 'QUEUED' || chat.offer || !chat.handoff) return;
    const agent = await pickAgent(tx, organizationId, chatId);
    if (!agent || !(await isStillNext())) return;
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
    this.logger.warn({ err, chatId }, `failed to route a waiting chat; it will be skipped for ${SKIP_MS / 1000} s`);
    routing.failed = null;
    routing.skipped.add(chatId);
    setTimeout(() => {
      routing.skipped.delete(chatId);
      this.wake(organizationId);
    }, SKIP_MS).unref();
  }

  private async sweep(): Promise<void> {
    try {
      if (this.isStopping) return;
      for (const organizationId of await listWaiting(this.manager)) this.wake(organizationId);
    } catch (error) {
      this.warnOnce(error);
      if (!this.isStopping) setTimeout(() => void this.job.run(), RETRY_MS).unref();
    }
  }

  private warnOnce(err: unknown): void {
    if (!this.isFailing) this.warn(err);
    this.isFailing = true;
  }

  private warn(err: unknown): void {
    if (!this.isStopping) this.logger.warn({ err }, 'failed to route waiting chats; it will be retried');
  }
}

function newRouting(): Routing {
  return { isBusy: false, isWanted: false, failed: null, skipped: new Set() };
}
