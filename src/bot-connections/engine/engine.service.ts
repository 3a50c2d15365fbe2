import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import '../../chats/model/chats.events.js';
import { type Lane, laneKeyOf } from '../../receivers/lane.js';
import type { DeliveriesQueued } from '../../receivers/deliveries.events.js';
import { Config } from '../../platform/config/config.js';
import { OnDomainEvent } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { Lifecycle } from '../../platform/http/server/lifecycle.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import '../connections/connections.events.js';
import { CONNECTION_KINDS, type ConnectionKind } from '../model/connection.js';
import { findWaitingLanes } from './intake.queries.js';
import { TurnIntake } from './intake.service.js';
import { Run } from '../turns/run.js';
import { Runner } from './runner.js';
import { type DueTurn, findDueTurns, PAGE, renewRuns, watchRuns } from '../turns/take.queries.js';
import { TurnBegin } from './turn-begin.js';
import { TurnEndings } from '../endings/turn-endings.js';

/** Milliseconds between two searches for turns that no event has announced, and between two checks of this node's runs. */
const INTERVAL_MS = 1_000;
const WATCH_MS = 500;
const JITTER = 0.2;
/** Every eighth check of the runs renews their leases: every 4 s, while a lease lasts 15 s. */
const RENEW_EVERY = 8;
/** The most runs of a node. An organization may begin one while it has fewer than are free, so one alone gets half of them. */
export const MAX_RUNS = 500;
/** Milliseconds that runs may continue after SIGTERM. The whole shutdown has 9 s. */
const GRACE_MS = 5_000;

/** Begins the turns of connected bots, and keeps their runs alive (CONTRACT: Turns). Every node does. */
@Injectable()
export class TurnEngine implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(TurnEngine.name);
  private readonly job = new PeriodicJob(() => this.look(), INTERVAL_MS, JITTER);
  private readonly watcher = new PeriodicJob(() => this.watch(), WATCH_MS);
  private readonly runs = new Map<string, Run>();
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly lanes = new Map<string, Promise<void>>();
  /** The bots whose turns begin now, and which of them have more. */
  private readonly bots = new Map<string, Promise<void>>();
  private readonly botsWithMore = new Set<string>();
  /** The bots whose turns wait for a run to end, with their organizations. */
  private readonly fullBots = new Map<string, string>();
  private endedRuns = 0;
  private looks = 0;
  private beginning: Promise<void> | null = null;
  private isBeginningAgain = false;
  private isFailing = false;
  private isEnding = false;
  private isGraceOver = false;
  /** Gives the runs back that haven't ended by then. */
  private grace: NodeJS.Timeout | null = null;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly intake: TurnIntake,
    private readonly begin: TurnBegin,
    private readonly runner: Runner,
    private readonly endings: TurnEndings,
    lifecycle: Lifecycle,
    metrics: Metrics,
  ) {
    lifecycle.onDrain(() => this.endRuns());
    const gauge = metrics.gauges('parley_bot_runs_in_flight');
    for (const kind of CONNECTION_KINDS) gauge(kind, () => this.countRuns(kind));
  }

  onModuleInit(): void {
    if (this.config.DRILL) return;
    this.job.start();
    this.watcher.start();
  }

  /** Waits until the runs have ended, or were given back. */
  async onModuleDestroy(): Promise<void> {
    this.endRuns();
    const stopped = this.job.stop();
    for (const timer of this.timers) clearTimeout(timer);
    await stopped;
    await this.beginning;
    await Promise.all(this.bots.values());
    while (this.running.size > 0) await Promise.all(this.running);
    clearTimeout(this.grace!);
    await this.watcher.stop();
    await this.runner.close();
  }

  /** Leaves new turns to other nodes, and lets runs end for 5 s. Then other nodes get them, too. */
  private endRuns(): void {
    this.isEnding = true;
    this.grace ??= setTimeout(() => {
      this.isGraceOver = true;
      for (const run of this.runs.values()) run.stop('SHUTDOWN');
    }, GRACE_MS);
  }

  @OnDomainEvent('deliveries.queued')
  onDeliveriesQueued({ lanes }: DeliveriesQueued): void {
    for (const lane of lanes) if (lane.kind === 'CONNECTION') void this.take(lane);
  }

  @OnDomainEvent('chat.changed')
  onChatChanged({ chatId }: { chatId: string }): void {
    if ([...this.runs.values()].some(({ turn }) => turn.chatId === chatId)) void this.watcher.run();
  }

  @OnDomainEvent('connection.changed')
  onConnectionChanged(): void {
    if (this.runs.size > 0) void this.watcher.run();
    this.wake();
  }

  @OnDomainEvent('turns.changed')
  onTurnsChanged(): void {
    void this.watcher.run();
    this.wake();
  }

  private countRuns(kind: ConnectionKind): number {
    return [...this.runs.values()].filter(({ connection }) => connection.kind === kind).length;
  }

  private async look(): Promise<void> {
    try {
      for (const lane of await findWaitingLanes(this.pool)) void this.take(lane);
      this.isFailing = false;
    } catch (err) {
      this.onError(err);
    }
    this.fullBots.clear();
    this.wake();
  }

  /** Makes turns from a lane's events. Calls for one lane run one after the other. */
  private take(lane: Lane): Promise<void> {
    const key = laneKeyOf(lane);
    const after = this.lanes.get(key) ?? Promise.resolve();
    const taken = after.then(() => this.takeAll(lane)).catch((err: unknown) => this.onError(err));
    this.lanes.set(key, taken);
    void taken.then(() => this.lanes.get(key) === taken && this.lanes.delete(key));
    return taken;
  }

  private async takeAll(lane: Lane): Promise<void> {
    if (this.config.DRILL) return;
    for (let hasMore = true; hasMore && !this.job.isStopped;) {
      const intake = await this.intake.take(lane);
      if (intake.delay !== null) this.wake(intake.delay);
      if (intake.interrupted.length > 0) void this.watcher.run();
      ({ hasMore } = intake);
    }
  }

  /** Begins the turns that are due after a delay in milliseconds. */
  private wake(delay = 0): void {
    if (this.job.isStopped || this.config.DRILL) return;
    if (delay === 0) return this.beginDue();
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.beginDue();
    }, delay + 1);
    this.timers.add(timer);
  }

  private beginDue(): void {
    this.isBeginningAgain = this.beginning !== null;
    this.beginning ??= this.beginAll().finally(() => {
      this.beginning = null;
      if (this.isBeginningAgain) this.wake();
    });
  }

  private async beginAll(): Promise<void> {
    try {
      const seen = new Set<string>();
      let due: DueTurn[];
      // A bot with many turns doesn't keep others waiting: the page after a full one has only turns of other bots.
      do {
        for (const botId of this.bots.keys()) this.botsWithMore.add(botId);
        due = await findDueTurns(this.pool, [...seen, ...this.bots.keys(), ...this.fullBots.keys()]);
        for (const botId of new Set(due.map((turn) => turn.botId))) {
          seen.add(botId);
          this.beginOf(
            botId,
            due.filter((turn) => turn.botId === botId),
          );
        }
      } while (due.length >= PAGE);
    } catch (err) {
      this.onError(err);
    }
  }

  /** Begins a bot's turns one after the other: each locks the bot's connection, so together they'd only hold more database connections. */
  private beginOf(botId: string, turns: DueTurn[]): void {
    if (this.bots.has(botId)) return void this.botsWithMore.add(botId);
    const beginEach = async () => {
      this.fullBots.delete(botId);
      let hasBegun = false;
      for (const key of turns) {
        if (await this.beginOne(key)) hasBegun = true;
        if (this.fullBots.has(botId)) break;
      }
      this.bots.delete(botId);
      // A page of turns that can't begin yet is left to the next search.
      if (this.botsWithMore.delete(botId) && (hasBegun || turns.length < PAGE)) this.wake();
    };
    this.bots.set(botId, beginEach());
  }

  /** Returns whether the turn has begun or ended, or can begin by now because a run has ended. */
  private async beginOne(key: DueTurn): Promise<boolean> {
    try {
      return !this.isEnding && (await this.tryToBegin(key));
    } catch (err) {
      this.onError(err);
      return false;
    }
  }

  private async tryToBegin(key: DueTurn): Promise<boolean> {
    const { endedRuns } = this;
    const beginning = await this.begin.begin(key, this.hasRoomFor(key.organizationId));
    if (beginning === null) return false;
    if (beginning === 'FULL') {
      if (endedRuns === this.endedRuns) this.fullBots.set(key.botId, key.organizationId);
      return endedRuns !== this.endedRuns;
    }
    if (beginning === 'PAUSED') await this.endings.handOver(key);
    else if ('failure' in beginning) await this.endings.fail(key, beginning.failure, beginning);
    else this.start(beginning.run);
    return true;
  }

  // Always leaves room for another organization.
  private hasRoomFor(organizationId: string): boolean {
    const own = [...this.runs.values()].filter(({ turn }) => turn.organizationId === organizationId);
    return own.length < MAX_RUNS - this.runs.size;
  }

  private start(run: Run): void {
    this.runs.set(run.id, run);
    if (this.isGraceOver) run.stop('SHUTDOWN');
    const executed = this.runner.execute(run).then((next) => {
      this.runs.delete(run.id);
      this.endedRuns += 1;
      for (const [botId, organizationId] of this.fullBots)
        if (organizationId === run.turn.organizationId) this.fullBots.delete(botId);
      this.running.delete(executed);
      if (next && 'nextRunId' in next) return this.start(nextOf(run, next.nextRunId));
      // A turn of the same chat may have waited for this one.
      this.wake();
    });
    this.running.add(executed);
  }

  private async watch(): Promise<void> {
    const runs = [...this.runs.values()];
    if (runs.length === 0) return;
    try {
      if (this.looks++ % RENEW_EVERY === 0)
        await renewRuns(
          this.pool,
          runs.map(({ key }) => key),
        );
      const states = await watchRuns(
        this.pool,
        runs.map(({ key }) => key),
      );
      runs.forEach((run, at) => {
        const state = states[at];
        if (!state) return;
        if (!state.isOwn || !state.isOfBot) run.stop('ABORTED');
        else if (state.isStopped) run.stop('STOPPED');
        else if (!state.isEnabled) run.stop('PAUSED');
      });
    } catch (err) {
      this.onError(err);
    }
  }

  private onError(err: unknown): void {
    if (!this.isFailing && !this.job.isStopped)
      this.logger.warn({ err }, 'could not look after the turns of connected bots');
    this.isFailing = true;
  }
}

/** The run of the next step. */
function nextOf({ turn, connection, context }: Run, id: string): Run {
  return new Run({ ...turn, step: turn.step + 1, tries: 1, runId: id }, id, connection, context);
}
