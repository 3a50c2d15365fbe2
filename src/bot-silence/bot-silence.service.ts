import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { systemContext } from '../auth/context/request-context.js';
import { ownerOf } from '../chats/model/chat-status.js';
import '../chats/model/chats.events.js';
import { type LockedChat, raiseRev } from '../chats/moves/chat-transitions.queries.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { findGroup } from '../groups/groups.queries.js';
import { HandoffsService } from '../handoff/handoffs.service.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { POOL } from '../platform/database/pool.js';
import { afterCommit, transaction } from '../platform/database/transaction.js';
import { Problem } from '../platform/errors/problem.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { BotSilenceMetrics } from './bot-silence-metrics.js';
import {
  type EndedSilence,
  findEnded,
  findNoticed,
  findSince,
  findStuck,
  findToNotice,
  findUnanswered,
  findWithReplyLimit,
  insertSilence,
  type Reach,
  removeSilence,
  type SilentChat,
} from './bot-silence.queries.js';
import type { SilenceReason } from './silence-sql.js';

/** Milliseconds between two runs, and the largest share that is added at random: a chat moves at most 5 s late. */
const INTERVAL_MS = 3_000;
const JITTER = 0.3;
/** A pause between two runs that is longer than this is a gap: the database or this machine stood still, and bots couldn't poll. */
const MAX_PAUSE_MS = 15_000;
/** One run in this many searches far back. The first one does. */
const FAR_EVERY = 10;
/** How many chats are handled at the same time. */
const CONCURRENCY = 4;

/**
 * Gives chats to agents when their bots don't take, or don't answer, what the visitor wrote (CONTRACT: Silent bots). Every node checks, and
 * the chat's lock decides which one acts. Before a chat moves, agents see that its bots are silent.
 */
@Injectable()
export class BotSilenceService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(BotSilenceService.name);
  private readonly job = new PeriodicJob(() => this.pass(), INTERVAL_MS, JITTER);
  private runs = 0;
  private isFailing = false;
  /** When the last run ended, and since when runs follow each other without a gap. By `Date.now()`, as in `ThisNode`. */
  private ranAt = 0;
  private steadySince = 0;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly events: DomainEventBus,
    private readonly metrics: BotSilenceMetrics,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
  }

  /** Checks once; concurrent calls run one after the other. */
  run(): Promise<void> {
    return this.job.run();
  }

  private async pass(): Promise<void> {
    const now = Date.now();
    if (this.isFailing || now - this.ranAt > MAX_PAUSE_MS) this.steadySince = now;
    try {
      await this.look(this.runs % FAR_EVERY === 0 ? 'FAR' : 'NEAR', (now - this.steadySince) / 1000);
      this.runs++;
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped) this.logger.warn({ err }, 'failed to check for silent bots');
      this.isFailing = true;
    }
    this.ranAt = Date.now();
  }

  private async look(reach: Reach, steadySeconds: number): Promise<void> {
    const { pool } = this;
    const stuck = await findStuck(pool);
    if (stuck.length > 0) await this.forEach(await findToNotice(pool, stuck, reach), (chat) => this.notice(chat));
    const noticed = await findNoticed(pool);
    if (noticed.length > 0) await this.forEach(await findEnded(pool, noticed, steadySeconds), (chat) => this.end(chat));
    // After a gap, the bots have a moment to send what they couldn't.
    const limits = (await findWithReplyLimit(pool)).filter(({ seconds }) => steadySeconds >= Math.min(seconds / 2, 30));
    if (limits.length > 0)
      await this.forEach(await findUnanswered(pool, limits, reach), (chat) => this.handOver(chat, 'bot_unanswered'));
  }

  private forEach<T extends SilentChat>(chats: T[], handle: (chat: T) => Promise<void>): Promise<void> {
    return handleDueRows(
      {
        list: () => Promise.resolve(chats),
        handle,
        onError: (error, chat) => this.onFailed(error, chat),
        isStopped: () => this.job.isStopped,
      },
      { limit: chats.length, concurrency: CONCURRENCY },
    );
  }

  private notice(silent: SilentChat): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.lock(tx, silent);
      const found = await findSince(tx, silent, 'bot_silent');
      if (!found) return;
      await insertSilence(tx, silent, found.since, chat.now);
      await this.announce(tx, silent);
    });
  }

  private end(silent: EndedSilence): Promise<void> {
    return silent.isOver ? this.clear(silent) : this.handOver(silent, 'bot_silent');
  }

  private clear(silent: SilentChat): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.lock(tx, silent);
      await removeSilence(tx, silent);
      if (ownerOf(chat.status, chat.agentId) === 'BOT') await this.announce(tx, silent);
    });
  }

  // Locks the group before the chat, as a transfer does. Since the chat was listed, a bot may have answered, or someone else may have
  // the chat.
  private handOver(silent: SilentChat, reason: SilenceReason): Promise<void> {
    const { organizationId } = silent;
    return transaction(this.manager, async (tx) => {
      const group = await findGroup(tx, organizationId);
      const chat = await this.lock(tx, silent);
      const found = await findSince(tx, silent, reason);
      if (!group || !found || chat.now.getTime() - found.since.getTime() < found.seconds * 1000) return;
      // It doesn't return to bots that are silent.
      const request = { reason, onUnanswered: 'KEEP' } as const;
      await this.handoffs.move(tx, systemContext(organizationId), chat, { type: 'TRANSFER', group, request });
      await removeSilence(tx, silent);
      afterCommit(tx, () => this.onHandedOver(silent, reason));
    });
  }

  private lock(tx: EntityManager, { organizationId, chatId }: SilentChat): Promise<LockedChat> {
    return this.transitions.lock(tx, systemContext(organizationId), chatId);
  }

  private async announce(tx: EntityManager, { organizationId, chatId }: SilentChat): Promise<void> {
    await raiseRev(tx, organizationId, chatId);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
  }

  private onHandedOver(silent: SilentChat, reason: SilenceReason): void {
    this.metrics.onHandedOver(reason);
    this.logger.warn({ ...silent, reason }, 'agents got a chat whose bot is silent');
  }

  private onFailed(err: unknown, silent: SilentChat): void {
    // The chat was erased or removed.
    if (err instanceof Problem && err.status < 500) return;
    this.logger.warn({ err, ...silent }, 'failed to handle a silent bot; it will be retried');
  }
}
