import { setTimeout as sleep } from 'node:timers/promises';
import { ParleyError } from './errors.js';
import { Lanes } from './lanes.js';
import { Recent } from './recent.js';
import { type Tools, Turn, type TurnContext } from './turn.js';
import type { EventType, ParleyEvent } from './wire.js';

/** A handler for one event, without the tools. */
export type Handler = (event: ParleyEvent<EventType>, tools: Tools) => unknown;

/** How many events that are done, and chats, are remembered. It saves requests; the keys are what holds. */
const REMEMBERED = 10_000;
/** Milliseconds before a handler that failed runs again, times the number of failures. */
const RETRY_PAUSE = 1_000;

/** Takes events however they come, each once: those of a chat in order, several chats at a time. */
export class Dispatcher {
  private readonly lanes: Lanes;
  private readonly running = new Map<string, Promise<void>>();
  private readonly done = new Recent<true>(REMEMBERED);
  private readonly unanswered = new Recent<number>(REMEMBERED);
  private isClosed = false;

  constructor(
    private readonly context: Omit<TurnContext, 'unanswered'>,
    private readonly find: (event: ParleyEvent<EventType>) => Handler | undefined,
  ) {
    this.lanes = new Lanes(context.settings.concurrency);
  }

  /** Handles an event, or waits for it when it came before. @throws when it was not handled and must come again */
  take(event: ParleyEvent<EventType>): Promise<void> {
    const known = this.running.get(event.id);
    if (known) return known;
    if (this.isDone(event.id)) return Promise.resolve();
    const taken = this.lanes
      .add(event.data.chat.id, () => this.handle(event))
      .finally(() => this.running.delete(event.id));
    this.running.set(event.id, taken);
    return taken;
  }

  isDone(eventId: string): boolean {
    return this.done.get(eventId) ?? false;
  }

  isRunning(eventId: string): boolean {
    return this.running.has(eventId);
  }

  /** Waits until none of these runs. */
  async settled(eventIds: string[]): Promise<void> {
    await Promise.allSettled(eventIds.flatMap((id) => this.running.get(id) ?? []));
  }

  /** Begins nothing more, and waits for what runs. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running.values());
  }

  private async handle(event: ParleyEvent<EventType>): Promise<void> {
    if (this.isClosed) throw new Error('The bot is stopping');
    if (senderOf(event) === 'VISITOR') this.unanswered.set(event.data.chat.id, 0);
    const handler = this.find(event);
    if (handler) await this.runTurns(event, handler);
    this.done.set(event.id, true);
  }

  private async runTurns(event: ParleyEvent<EventType>, handler: Handler): Promise<void> {
    const { settings, stopped } = this.context;
    const attempts = settings.onError === 'retry' ? settings.attempts : 1;
    for (let attempt = 1; ; attempt++) {
      const turn = new Turn(event, { ...this.context, unanswered: this.unanswered });
      try {
        return await turn.run(() => handler(event, turn.tools()));
      } catch (error) {
        stopped.throwIfAborted();
        if (isFatal(error)) throw error;
        settings.log(`${event.id} (${event.type}) in ${event.data.chat.id}: ${describe(error)}`);
        if (attempt >= attempts) return this.giveUp(turn);
        await sleep(RETRY_PAUSE * attempt, undefined, { signal: stopped });
      }
    }
  }

  private async giveUp(turn: Turn): Promise<void> {
    const { settings, stopped } = this.context;
    try {
      await turn.giveUp('The bot cannot go on');
    } catch (error) {
      stopped.throwIfAborted();
      if (isFatal(error)) throw error;
      settings.log(`not handed over: ${describe(error)}`);
    }
  }
}

/** No handler can mend a wrong token. */
function isFatal(error: unknown): boolean {
  return error instanceof ParleyError && error.status === 401;
}

/** Who sent the message of an event; null when it is about no message. */
export function senderOf({ data }: ParleyEvent<EventType>): string | null {
  return 'message' in data ? data.message.sender.type : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
