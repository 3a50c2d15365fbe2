import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Lane } from '../receivers/lane.js';
import { unauthorized } from '../platform/http/requests/bearer.js';
import { Problem } from '../platform/errors/problem.js';
import type { PollingBot, SubscriptionState } from './take.queries.js';

/** Why a poll stops waiting: events may have arrived, its time is up, or an empty response or a problem is due. */
export type WaitEnd = 'events' | 'timeout' | 'empty' | Problem;

export const superseded = () =>
  new Problem('superseded', 'A newer poll by this bot is waiting: stop polling from this client');

/** A poll, from its request to its response. */
export class ActivePoll {
  /** Set by its first read of the subscription. */
  subscriptionId?: string;
  generation?: bigint;
  private mayHaveEvents = false;
  private end?: WaitEnd;
  private resolve?: (end: WaitEnd) => void;

  constructor(
    readonly bot: PollingBot,
    /** Lets only one poll of the bot take events at a time on this node. */
    readonly exclusively: LimitFunction,
    /** The copy of the bot that polls; undefined: it doesn't share its events. */
    readonly copy?: string,
    /** How long after its answer the copy has its chats, in seconds. */
    readonly lease = 0,
  ) {}

  /** Waits until something happens, or for this many milliseconds. */
  next(milliseconds: number): Promise<WaitEnd> {
    const end = this.end ?? (this.mayHaveEvents ? 'events' : undefined);
    this.mayHaveEvents = false;
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle('timeout'), Math.max(0, milliseconds));
      this.resolve = (why) => {
        clearTimeout(timer);
        resolve(why);
      };
    });
  }

  /** Wakes the poll, because events may have arrived. */
  wake(): void {
    this.mayHaveEvents = this.resolve === undefined;
    this.settle('events');
  }

  /** Ends the poll with an empty response or a problem. */
  finish(end: WaitEnd): void {
    this.end ??= end;
    this.settle(this.end);
  }

  /**
   * Called when a poll of the bot has taken events. A copy's poll is superseded only by a newer poll of the same copy. A poll that doesn't
   * share is superseded by any newer one.
   */
  onTaken(generation: bigint, copy?: string): void {
    const isOther = this.copy !== undefined && this.copy !== copy;
    if (!isOther && this.generation !== undefined && this.generation < generation) this.finish(superseded());
  }

  /** Called with the subscription's state, which is read at intervals. */
  onState({ isValid, id, generation, isSuspended, mayHaveEvents }: SubscriptionState): void {
    if (this.generation === undefined) return;
    if (!isValid) this.finish(unauthorized());
    else if (id === null || id !== this.subscriptionId) this.finish(subscriptionDeleted());
    else if (isSuspended || generation! > this.generation) this.finish(superseded());
    else if (mayHaveEvents) this.wake();
  }

  private settle(end: WaitEnd): void {
    this.resolve?.(end);
    this.resolve = undefined;
  }
}

export const subscriptionDeleted = () => new Problem('not_found', 'Subscription not found');

/** A bot's polls on this node. */
interface PollsOfBot {
  polls: Set<ActivePoll>;
  exclusively: LimitFunction;
  /** The highest generation that the polls of each copy have taken. */
  generations: Map<string | undefined, bigint>;
}

/** The polls that this node is serving. A waiting poll holds no database connection. */
@Injectable()
export class ActivePolls {
  private readonly bots = new Map<string, PollsOfBot>();
  private readonly organizations = new Map<string, Set<ActivePoll>>();

  /** Registers a poll: from now on it's notified of events and of newer polls. */
  start(caller: PollingBot, copy?: string, lease?: number): ActivePoll {
    const { organizationId } = caller;
    const bot = this.bots.get(keyOf(caller)) ?? {
      polls: new Set(),
      exclusively: pLimit(1),
      generations: new Map<string | undefined, bigint>(),
    };
    const poll = new ActivePoll(caller, bot.exclusively, copy, lease);
    this.bots.set(keyOf(caller), bot);
    bot.polls.add(poll);
    const neighbors = this.organizations.get(organizationId) ?? new Set();
    this.organizations.set(organizationId, neighbors.add(poll));
    return poll;
  }

  remove(poll: ActivePoll): void {
    const { polls, generations } = this.bots.get(keyOf(poll.bot))!;
    polls.delete(poll);
    // Copies come and go under new names while others poll.
    if (![...polls].some(({ copy }) => copy === poll.copy)) generations.delete(poll.copy);
    if (polls.size === 0) this.bots.delete(keyOf(poll.bot));
    const neighbors = this.organizations.get(poll.bot.organizationId)!;
    neighbors.delete(poll);
    if (neighbors.size === 0) this.organizations.delete(poll.bot.organizationId);
  }

  /** Called when a poll has taken events: ends the bot's older polls, or this one if a newer one has taken events since. */
  onTaken({ bot: caller, copy }: ActivePoll, generation: bigint): void {
    const { generations, polls } = this.bots.get(keyOf(caller))!;
    const newest = [generations.get(copy) ?? -1n, generation].reduce((a, b) => (a > b ? a : b));
    generations.set(copy, newest);
    for (const poll of polls) poll.onTaken(newest, copy);
  }

  /**
   * Wakes the polls of these lanes. A poll that hasn't read its subscription yet is woken by every lane of its
   * organization.
   */
  wake(lanes: readonly Lane[]): void {
    for (const { organizationId, id } of lanes) {
      for (const poll of this.organizations.get(organizationId) ?? []) {
        if (poll.subscriptionId === undefined || poll.subscriptionId === id) poll.wake();
      }
    }
  }

  /** Ends a bot's polls with a problem. */
  endAllOf(bot: { organizationId: string; botId: string }, problem: Problem): void {
    for (const poll of this.bots.get(keyOf(bot))?.polls ?? []) poll.finish(problem);
  }

  /** Ends all polls with an empty response. */
  endAll(): void {
    for (const poll of this.all()) poll.finish('empty');
  }

  all(): ActivePoll[] {
    return [...this.bots.values()].flatMap(({ polls }) => [...polls]);
  }
}

function keyOf({ organizationId, botId }: { organizationId: string; botId: string }): string {
  return `${organizationId}/${botId}`;
}
