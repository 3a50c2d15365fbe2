import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Lane } from '../outbox/lane.js';
import { unauthorized } from '../platform/http/requests/bearer.js';
import { Problem } from '../platform/errors/problem.js';
import type { Poller, Seen } from './take.queries.js';

/** Why a call waits no longer: there may be events, its time is over, or an empty answer or a problem is due. */
export type End = 'news' | 'time' | 'empty' | Problem;

const superseded = () => new Problem('superseded', 'A newer call of this bot waits for the events');

/** A call for events, from its begin to its answer. */
export class Call {
  /** Set once it has taken for the first time. */
  subscriptionId?: string;
  generation?: bigint;
  private hasNews = false;
  private end?: End;
  private resolve?: (end: End) => void;

  constructor(
    readonly poller: Poller,
    /** One call of the bot takes at a time on this node. */
    readonly turn: LimitFunction,
  ) {}

  /** Waits until something happens, for so many milliseconds at most. */
  next(milliseconds: number): Promise<End> {
    const end = this.end ?? (this.hasNews ? 'news' : undefined);
    this.hasNews = false;
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle('time'), Math.max(0, milliseconds));
      this.resolve = (why) => {
        clearTimeout(timer);
        resolve(why);
      };
    });
  }

  /** There may be events. */
  wake(): void {
    this.hasNews = this.resolve === undefined;
    this.settle('news');
  }

  /** Ends it with an empty answer, or with a problem. */
  finish(end: End): void {
    this.end ??= end;
    this.settle(this.end);
  }

  /** Another call of the bot has taken. */
  onTaken(generation: bigint): void {
    if (this.generation !== undefined && this.generation < generation) this.finish(superseded());
  }

  onSeen({ isValid, id, generation, isResting, hasNews }: Seen): void {
    if (this.generation === undefined) return;
    if (!isValid) this.finish(unauthorized());
    else if (id === null || id !== this.subscriptionId) this.finish(subscriptionGone());
    else if (isResting || generation! > this.generation) this.finish(superseded());
    else if (hasNews) this.wake();
  }

  private settle(end: End): void {
    this.resolve?.(end);
    this.resolve = undefined;
  }
}

export const subscriptionGone = () => new Problem('not_found', 'Subscription not found');

/** The calls of a bot on this node. */
interface BotCalls {
  calls: Set<Call>;
  turn: LimitFunction;
  /** The newest of its calls that has taken. */
  generation: bigint;
}

/** The calls for events that this node is answering. Waiting costs no database connection. */
@Injectable()
export class WaitingCalls {
  private readonly bots = new Map<string, BotCalls>();
  private readonly organizations = new Map<string, Set<Call>>();

  /** Begins a call: from now on it is told of events and of newer calls. */
  begin(poller: Poller): Call {
    const { organizationId } = poller;
    const bot = this.bots.get(keyOf(poller)) ?? { calls: new Set(), turn: pLimit(1), generation: -1n };
    const call = new Call(poller, bot.turn);
    this.bots.set(keyOf(poller), bot);
    bot.calls.add(call);
    const neighbours = this.organizations.get(organizationId) ?? new Set();
    this.organizations.set(organizationId, neighbours.add(call));
    return call;
  }

  end(call: Call): void {
    const { poller } = call;
    const bot = this.bots.get(keyOf(poller))!;
    bot.calls.delete(call);
    if (bot.calls.size === 0) this.bots.delete(keyOf(poller));
    const neighbours = this.organizations.get(poller.organizationId)!;
    neighbours.delete(call);
    if (neighbours.size === 0) this.organizations.delete(poller.organizationId);
  }

  /** A call has taken: older ones of the bot end, and it ends itself when a newer one has taken meanwhile. */
  onTaken({ poller }: Call, generation: bigint): void {
    const bot = this.bots.get(keyOf(poller))!;
    if (bot.generation < generation) bot.generation = generation;
    for (const call of bot.calls) call.onTaken(bot.generation);
  }

  /** Events were queued in these lanes. A call that has not found its subscription yet is told of all of its organization. */
  wake(lanes: readonly Lane[]): void {
    for (const { organizationId, id } of lanes) {
      for (const call of this.organizations.get(organizationId) ?? []) {
        if (call.subscriptionId === undefined || call.subscriptionId === id) call.wake();
      }
    }
  }

  /** Ends the calls of a bot. */
  endOfBot(bot: { organizationId: string; botId: string }, problem: Problem): void {
    for (const call of this.bots.get(keyOf(bot))?.calls ?? []) call.finish(problem);
  }

  /** Ends all calls with an empty answer. */
  endAll(): void {
    for (const call of this.all()) call.finish('empty');
  }

  all(): Call[] {
    return [...this.bots.values()].flatMap(({ calls }) => [...calls]);
  }
}

function keyOf({ organizationId, botId }: { organizationId: string; botId: string }): string {
  return `${organizationId}/${botId}`;
}
