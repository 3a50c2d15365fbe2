import type { Api } from './api.js';
import type { Dispatcher } from '../turns/dispatcher.js';
import { ParleyError, SupersededError, toText } from '../errors.js';
import type { Settings } from '../options.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { aborted } from '../lib/timer.js';
import type { Events, EventType, Gap, ParleyEvent } from '../wire.js';

/** Seconds that the service waits for an event. */
const WAIT_SECONDS = 25;
/**
 * The first and longest delay between two polls while handlers run, in milliseconds. The delay doubles each time. A turn must end within
 * 500 ms after an agent took its chat, so the longest delay leaves time for the request.
 */
const FIRST_CHECK_MS = 100;
const LAST_CHECK_MS = 300;
/** The most events of a response. */
const MAX_EVENTS = 100;
/** How many events a copy that shares asks for, for each that it can handle in parallel. */
const AHEAD = 2;

/** Polls for events and acknowledges them after their handlers (CONTRACT: Polling for events). */
export class Poller {
  /** The events of the newest response, its `ack`, and how many more wait. */
  private events: ParleyEvent<EventType>[] = [];
  private ack?: string;
  private pending = 0;
  private lastGap?: Gap;
  private failure?: unknown;
  /** The name of this copy of the bot, if it shares the events with others. */
  private readonly copy?: string;

  constructor(
    private readonly api: Api,
    private readonly dispatcher: Dispatcher,
    private readonly settings: Settings,
    /** Ends the wait for events. */
    private readonly stopping: AbortSignal,
  ) {
    if (settings.share) this.copy = crypto.randomUUID();
  }

  /** Polls until the bot is stopped. @throws ParleyError if it can't continue */
  async run(): Promise<void> {
    for (let pause = FIRST_CHECK_MS; !this.stopping.aborted;) {
      await this.awaitHandlers(pause);
      if (this.failure !== undefined) throw this.failure;
      if (this.stopping.aborted) return;
      const isBusy = this.isBusy();
      const ack = isBusy ? await this.makeRoom() : this.ack;
      const limit = this.copy === undefined ? undefined : this.room(isBusy);
      const answer = await this.poll({ wait: isBusy ? 0 : WAIT_SECONDS, ack, limit }, this.stopping);
      if (!answer) return;
      pause = this.accept(answer) ? FIRST_CHECK_MS : Math.min(pause * 2, LAST_CHECK_MS);
    }
  }

  /** Acknowledges the finished events at the beginning of the newest response, when the bot stops. */
  async acknowledgeLast(signal: AbortSignal): Promise<void> {
    const ack = await this.ackOfDone(signal);
    const isLeaving = this.copy !== undefined;
    if (ack !== undefined || isLeaving) await this.poll({ wait: 0, limit: 1, ack, isLeaving }, signal);
  }

  /** How many events a copy asks for: what it has, and as many as it can handle soon. The others get the rest. */
  private room(isBusy: boolean): number {
    const running = this.events.filter(({ id }) => this.dispatcher.isRunning(id)).length;
    const free = Math.max(1, AHEAD * this.settings.concurrency - running);
    return Math.min(MAX_EVENTS, free + (isBusy ? this.events.length : 0));
  }

  /** The `ack` of the oldest finished events, if handlers run and more events wait than fit into a response. */
  private async makeRoom(): Promise<string | undefined> {
    return this.pending > 0 ? this.ackOfDone(this.stopping) : undefined;
  }

  /** The `ack` of the oldest events, up to the first unfinished one; undefined if the oldest is unfinished. */
  private async ackOfDone(signal: AbortSignal): Promise<string | undefined> {
    // Requests only these, because an ack is for a whole response. Other events may come instead, so the response is checked too.
    for (let limit = this.countDone(this.events); limit > 0;) {
      const answer = await this.poll({ wait: 0, limit }, signal);
      if (!answer) return undefined;
      limit = this.countDone(answer.events);
      if (limit === answer.events.length) return answer.ack;
    }
    return undefined;
  }

  /** How many events come before the first unfinished one. */
  private countDone(events: ParleyEvent<EventType>[]): number {
    const undone = events.findIndex(({ id }) => !this.dispatcher.isDone(id));
    return undone === -1 ? events.length : undone;
  }

  private isBusy(): boolean {
    return this.events.some(({ id }) => this.dispatcher.isRunning(id));
  }

  private async awaitHandlers(pause: number): Promise<void> {
    if (!this.isBusy()) return;
    const all = this.dispatcher.settled(this.events.map(({ id }) => id));
    await withTimeLimit(pause, this.stopping, (signal) => Promise.race([all, aborted(signal)]));
  }

  /** Dispatches new events. @returns whether there were any */
  private accept({ events, ack, pending, traces }: Events): boolean {
    this.events = events;
    this.ack = ack;
    this.pending = pending;
    const fresh = events.filter(({ id }) => !this.dispatcher.isDone(id) && !this.dispatcher.isRunning(id));
    for (const event of fresh) {
      const traceparent = traces?.[event.id];
      const traced = traceparent === undefined ? event : { ...event, traceparent };
      this.dispatcher.take(traced).catch((error: unknown) => (this.failure ??= error));
    }
    return fresh.length > 0;
  }

  /** Reports a gap once, although every response repeats it until one is acknowledged. */
  private report(gap: Gap): void {
    const { since, droppedEvents } = gap;
    if (since === this.lastGap?.since && droppedEvents === this.lastGap.droppedEvents) return;
    this.lastGap = gap;
    const { onGap, log } = this.settings;
    (async () => onGap(gap))().catch((error: unknown) => log(`onGap: ${toText(error)}`, { level: 'error', error }));
  }

  /** Null if the bot is stopped during the poll. */
  private async poll(
    { wait, ack, limit, isLeaving }: { wait: number; ack?: string; limit?: number; isLeaving?: boolean },
    signal: AbortSignal,
  ): Promise<Events | null> {
    const share = this.copy && { share: this.copy, ...(isLeaving && { lease: '0' }) };
    const query = String(
      new URLSearchParams({ wait: `${wait}`, ...(ack && { ack }), ...(limit && { limit: `${limit}` }), ...share }),
    );
    try {
      const { body } = await this.api.call<Events>('GET', `/events?${query}`, { wait, signal });
      if (body.gap) this.report(body.gap);
      return body;
    } catch (error) {
      if (signal.aborted) return null;
      if (error instanceof ParleyError && error.code === 'superseded') throw new SupersededError();
      // The service was restored from a backup, so it doesn't know this `ack`.
      if (error instanceof ParleyError && error.status === 400 && ack)
        return this.poll({ wait, limit, isLeaving }, signal);
      throw error;
    }
  }
}
