import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { unauthorized } from '../platform/http/requests/bearer.js';
import { Lifecycle } from '../platform/http/server/lifecycle.js';
import { overloaded } from '../platform/errors/problem.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { Acks } from './acks.js';
import { Pace } from './pace.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { type Gap, lookForEvents, type Poller, type Seen, takeEvents, type Take } from './take.queries.js';
import { type Call, subscriptionGone, WaitingCalls } from './waiting-calls.js';

/**
 * Milliseconds between two looks of the calls that wait. An ended token, a deleted subscription and a newer call on another
 * node are seen by it within 1 s, without Redis too; so are events whose hint was lost.
 */
const LOOK_INTERVAL = 700;
/** The most calls that share a look. */
const MAX_TOGETHER = 1_000;
/** How often a call tries again to take when others of the same bot were faster, on other nodes. */
const MAX_TRIES = 20;

/** What a call asks for. */
export interface PollRequest {
  /** Seconds that it waits for the first event. */
  wait: number;
  /** The most events. */
  limit: number;
  /** The `ack` of an earlier answer. */
  ack?: string;
}

/** The answer to a call (CONTRACT section 11). */
export interface PollAnswer {
  /** The bodies of the events, each the same text as every webhook is sent. */
  payloads: readonly string[];
  ack: string;
  pending: number;
  gap: Gap | null;
  /** Whether the process shuts down: the connection takes no more calls. */
  isLast: boolean;
}

type First = PollAnswer & { hasNewGap: boolean };

/** Gives bots their events (CONTRACT section 11). All state is in the database: any node answers any call. */
@Injectable()
export class PollService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PollService.name);
  private readonly job = new PeriodicJob(() => this.look(), LOOK_INTERVAL);
  private readonly pace = new Pace();
  private isStopping = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly calls: WaitingCalls,
    private readonly acks: Acks,
    private readonly subscriptions: SubscriptionsService,
    private readonly lifecycle: Lifecycle,
  ) {}

  onModuleInit(): void {
    this.lifecycle.onDrain(() => this.endWaits());
    this.job.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.endWaits();
    await this.job.stop();
  }

  /**
   * Marks the events of the presented `ack` as done, and answers the next ones. Makes the default subscription when the bot has
   * none, and wakes one that rests.
   * @param signal aborted when the client has gone: nothing is taken any more
   * @throws Problem validation_failed for an `ack` of another; superseded by a newer call; unauthorized when the token ends;
   *   not_found when the subscription is deleted meanwhile; unavailable
   */
  async poll(poller: Poller, request: PollRequest, signal: AbortSignal): Promise<PollAnswer> {
    if (request.ack !== undefined) this.acks.check(poller, request.ack);
    const call = this.calls.begin(poller);
    const onGone = () => call.finish('empty');
    signal.addEventListener('abort', onGone, { once: true });
    try {
      const until = performance.now() + request.wait * 1_000;
      if (request.wait > 0) await this.pace.wait(poller.botId);
      const first = await call.turn(() => this.takeFirst(call, request));
      const isOver = request.wait === 0 || this.isStopping || signal.aborted;
      if (first.payloads.length > 0 || first.hasNewGap || isOver) return first;
      return await this.wait(call, request.limit, until);
    } finally {
      signal.removeEventListener('abort', onGone);
      this.calls.end(call);
    }
  }

  private async takeFirst(call: Call, { limit, ack }: PollRequest): Promise<First> {
    const presented = ack ?? null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const taken = await this.take(call, { limit, presented, generation: null, mayBeEmpty: true });
      if (taken) return taken;
      await this.makeReady(call.poller);
    }
    throw overloaded();
  }

  // Finds out why a call may not take, and makes or wakes the subscription. A bot or an organization that goes meanwhile takes the
  // token along.
  private async makeReady(poller: Poller): Promise<void> {
    const seen = await this.seen(poller);
    if (seen.id !== null && !seen.isResting) return;
    try {
      await this.subscriptions.ensure(poller.organizationId, poller.botId);
    } catch (err) {
      await this.seen(poller);
      throw err;
    }
  }

  private async seen(poller: Poller): Promise<Seen> {
    const [seen] = await lookForEvents(this.pool, [poller]);
    if (!seen!.isValid) throw unauthorized();
    return seen!;
  }

  private async wait(call: Call, limit: number, until: number): Promise<PollAnswer> {
    for (;;) {
      const end = await call.next(until - performance.now());
      if (end === 'empty')
        return { payloads: [], ack: this.acks.make(call.poller), pending: 0, gap: null, isLast: this.isStopping };
      if (end instanceof Error) throw end;
      if (end === 'time') return this.takeLast(call, limit);
      await this.pace.wait(call.poller.botId);
      const taken = await this.takeNews(call, limit);
      if (taken) return taken;
    }
  }

  // A wait outlives an outage of the database: the next look finds what there is.
  private async takeNews(call: Call, limit: number): Promise<PollAnswer | null> {
    const take = { limit, presented: null, generation: call.generation!, mayBeEmpty: false };
    return call
      .turn(() => this.take(call, take))
      .catch((err: unknown) => {
        this.logger.debug({ err }, 'events could not be taken');
        return null;
      });
  }

  private async takeLast(call: Call, limit: number): Promise<PollAnswer> {
    const { poller, generation } = call;
    const take = { limit, presented: null, generation: generation!, mayBeEmpty: true };
    const taken = await call.turn(() => this.take(call, take));
    if (taken) return taken;
    const [seen] = await lookForEvents(this.pool, [poller]);
    call.onSeen(seen!);
    const end = await call.next(0);
    throw end instanceof Error ? end : subscriptionGone();
  }

  private async take(call: Call, take: Omit<Take, 'ack'>): Promise<First | null> {
    const ack = this.acks.make(call.poller);
    const taken = await takeEvents(this.pool, call.poller, { ...take, ack });
    if (!taken) return null;
    call.subscriptionId = taken.id;
    call.generation = taken.generation;
    this.calls.onTaken(call, taken.generation);
    this.pace.note(call.poller.botId, taken.payloads.length, taken.pending > 0);
    return { ...taken, ack, isLast: this.isStopping };
  }

  private endWaits(): void {
    this.isStopping = true;
    this.calls.endAll();
  }

  private async look(): Promise<void> {
    const calls = this.calls.all();
    this.pace.tidy();
    for (let from = 0; from < calls.length; from += MAX_TOGETHER) {
      const some = calls.slice(from, from + MAX_TOGETHER);
      try {
        const seen = await lookForEvents(
          this.pool,
          some.map(({ poller }) => poller),
        );
        some.forEach((call, index) => call.onSeen(seen[index]!));
      } catch (err) {
        this.logger.debug({ err }, 'calls that wait could not look for events');
      }
    }
  }
}
