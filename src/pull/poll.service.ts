import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { unauthorized } from '../platform/http/requests/bearer.js';
import { Lifecycle } from '../platform/http/server/lifecycle.js';
import { overloaded, Problem } from '../platform/errors/problem.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { AckCodec } from './ack-codec.js';
import { type ActivePoll, ActivePolls, subscriptionDeleted, superseded } from './active-polls.js';
import { PollPacer } from './poll-pacer.js';
import { SubscriptionsService } from './subscriptions.service.js';
import {
  type Gap,
  leaseChats,
  MAX_COPIES,
  type PollingBot,
  readSubscriptionStates,
  type SubscriptionState,
  takeEvents,
  type TakeOptions,
} from './take.queries.js';

/**
 * How often waiting polls read the state of their subscription. So even without Redis, they notice within 1 s that their token was
 * revoked, their subscription was deleted, or a newer poll runs on another node. They also find events whose hint was lost.
 */
const STATE_INTERVAL_MS = 700;
/** The most polls whose state one statement reads. */
const MAX_POLLS_PER_STATEMENT = 1_000;
/** How often a poll tries to take events while polls of the same bot on other nodes are faster. */
const MAX_TRIES = 20;

/** What a poll asks for. */
export interface PollRequest {
  /** Seconds to wait for the first event. */
  wait: number;
  /** The most events. */
  limit: number;
  /** The `ack` of an earlier response. */
  ack?: string;
  /** The name of the bot's copy that polls; omitted: the bot has one client. */
  share?: string;
  /** How long after the answer that copy has its chats, in seconds. */
  lease?: number;
}

/** The response to a poll (CONTRACT: Polling for events). */
export interface PollAnswer {
  /** The bodies of the events, the same text that webhooks are sent, with commas between them. */
  events: string;
  count: number;
  /** The `traceparent` of each event that a traced request caused, by the event's id. */
  traces: Readonly<Record<string, string>>;
  ack: string;
  pending: number;
  gap: Gap | null;
  /** Whether the process is shutting down, so the connection serves no further request. */
  isLast: boolean;
}

type FirstAnswer = PollAnswer & { hasNewGap: boolean };

/** Returns events to bots (CONTRACT: Polling for events). All state is in the database, so any node can serve any poll. */
@Injectable()
export class PollService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PollService.name);
  private readonly job = new PeriodicJob(() => this.readStates(), STATE_INTERVAL_MS);
  private readonly pacer = new PollPacer();
  private isStopping = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly polls: ActivePolls,
    private readonly acks: AckCodec,
    private readonly subscriptions: SubscriptionsService,
    private readonly lifecycle: Lifecycle,
  ) {}

  onModuleInit(): void {
    this.lifecycle.onDrain(() => this.endPolls());
    this.job.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.endPolls();
    await this.job.stop();
  }

  /**
   * Deletes the events of the presented `ack` and returns the next ones. Creates the default subscription if the bot has none,
   * and resumes a suspended one.
   * @param signal aborted when the client disconnects: from then on no events are taken
   * @throws Problem validation_failed for an `ack` of another bot; superseded by a newer poll; unauthorized when the token is
   *   revoked or expires; not_found when the subscription is deleted during the wait; unavailable
   */
  async poll(bot: PollingBot, request: PollRequest, signal: AbortSignal): Promise<PollAnswer> {
    if (request.ack !== undefined) this.acks.verify(bot, request.ack);
    const poll = this.polls.start(bot, request.share, request.lease);
    const onAbort = () => {
      poll.finish('empty');
      void this.lease(poll, 0).catch((err: unknown) => this.logger.debug({ err }, 'could not shorten a lease'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const until = performance.now() + request.wait * 1_000;
      if (request.wait > 0) await this.pacer.wait(pacedBy(poll));
      const first = await poll.exclusively(() => this.takeFirst(poll, request));
      const isOver = request.wait === 0 || this.isStopping || signal.aborted;
      if (first.count > 0 || first.hasNewGap || isOver) return first;
      await this.lease(poll, request.wait);
      return await this.wait(poll, request, until);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.polls.remove(poll);
    }
  }

  private async takeFirst(poll: ActivePoll, { limit, ack }: PollRequest): Promise<FirstAnswer> {
    const presented = ack ?? null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const taken = await this.take(poll, { limit, presented, generation: null, mayBeEmpty: true });
      if (taken) return taken;
      await this.ensureSubscription(poll);
    }
    throw overloaded(`${MAX_TRIES} tries to take events`);
  }

  // Finds out why a poll can't take events, and creates or resumes the subscription. Deleting the bot or the organization also
  // deletes the token.
  private async ensureSubscription({ bot, copy }: ActivePoll): Promise<void> {
    const state = await this.readState(bot, copy);
    if (copy === undefined && state.copies > 0) throw superseded();
    if (copy !== undefined && state.copies >= MAX_COPIES)
      throw new Problem('conflict', `The bot has ${MAX_COPIES} copies`);
    if (state.id !== null && !state.isSuspended) return;
    try {
      await this.subscriptions.ensure(bot.organizationId, bot.botId);
    } catch (err) {
      await this.readState(bot, copy);
      throw err;
    }
  }

  private async readState(bot: PollingBot, copy?: string): Promise<SubscriptionState> {
    const [state] = await readSubscriptionStates(this.pool, [{ ...bot, copy }]);
    if (!state!.isValid) throw unauthorized();
    return state!;
  }

  private async wait(poll: ActivePoll, { limit }: PollRequest, until: number): Promise<PollAnswer> {
    for (;;) {
      const end = await poll.next(until - performance.now());
      if (end === 'empty')
        return {
          events: '',
          count: 0,
          traces: {},
          ack: this.acks.create(poll.bot),
          pending: 0,
          gap: null,
          isLast: this.isStopping,
        };
      if (end instanceof Error) throw end;
      if (end === 'timeout') return this.takeLast(poll, limit);
      await this.pacer.wait(pacedBy(poll));
      const taken = await this.takeNewEvents(poll, limit);
      if (taken) return taken;
    }
  }

  // A poll survives an outage of the database: the next read of the states finds the events.
  private async takeNewEvents(poll: ActivePoll, limit: number): Promise<PollAnswer | null> {
    const take = { limit, presented: null, generation: poll.generation!, mayBeEmpty: false };
    return poll
      .exclusively(() => this.take(poll, take))
      .catch((err: unknown) => {
        this.logger.debug({ err }, 'could not fetch events');
        return null;
      });
  }

  private async takeLast(poll: ActivePoll, limit: number): Promise<PollAnswer> {
    const { bot, generation } = poll;
    const take = { limit, presented: null, generation: generation!, mayBeEmpty: true };
    const taken = await poll.exclusively(() => this.take(poll, take));
    if (taken) return taken;
    const [state] = await readSubscriptionStates(this.pool, [{ ...bot, copy: poll.copy }]);
    poll.onState(state!);
    const end = await poll.next(0);
    throw end instanceof Error ? end : subscriptionDeleted();
  }

  /** Leases the chats of a copy for as long as its poll waits, and for its lease after that. @param wait in seconds */
  private async lease({ bot, copy, lease, subscriptionId, generation }: ActivePoll, wait: number): Promise<void> {
    if (copy === undefined || subscriptionId === undefined || generation === undefined) return;
    await leaseChats(this.pool, { ...bot, subscriptionId, copy, generation }, lease + wait);
  }

  private async take(poll: ActivePoll, options: Omit<TakeOptions, 'ack'>): Promise<FirstAnswer | null> {
    const ack = this.acks.create(poll.bot);
    const { bot, copy, lease } = poll;
    const taken = await takeEvents(this.pool, bot, { ...options, ack, copy, lease });
    if (!taken) return null;
    poll.subscriptionId = taken.id;
    poll.generation = taken.generation;
    this.polls.onTaken(poll, taken.generation);
    this.pacer.record(pacedBy(poll), taken.count, taken.pending > 0);
    return { ...taken, ack, isLast: this.isStopping };
  }

  private endPolls(): void {
    this.isStopping = true;
    this.polls.endAll();
  }

  private async readStates(): Promise<void> {
    const polls = this.polls.all();
    this.pacer.removeExpired();
    for (let from = 0; from < polls.length; from += MAX_POLLS_PER_STATEMENT) {
      const some = polls.slice(from, from + MAX_POLLS_PER_STATEMENT);
      try {
        const states = await readSubscriptionStates(
          this.pool,
          some.map(({ bot, copy }) => ({ ...bot, copy })),
        );
        some.forEach((poll, index) => {
          const state = states[index];
          if (state) poll.onState(state);
        });
      } catch (err) {
        this.logger.debug({ err }, 'the state of waiting polls could not be read');
      }
    }
  }
}

function pacedBy({ bot: { botId }, copy }: ActivePoll): string {
  return copy === undefined ? botId : `${botId}/${copy}`;
}
