import { answersOf, type Burst, Bursts, isIn, type MessageEvent, until, withoutGap } from './bursts.js';
import { ParleyError, toText } from '../errors.js';
import { receiveFiles } from '../files/received-file.js';
import { ChatQueues } from './chat-queues.js';
import type { Verdict } from '../options.js';
import { Recent } from '../lib/recent.js';
import { messagesAfter, type TurnContext } from './sender.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { aborted, MAX_TIMER_MS, sleep } from '../lib/timer.js';
import type { Task, Tools } from './tools.js';
import { Turn } from './turn.js';
import type { EventType, Message, ParleyEvent, VisitorEvent } from '../wire.js';

/** Calls the handler of one event. @param messages the messages that the turn answers */
export type Handler = (event: ParleyEvent<EventType>, tools: Tools, messages: Message[]) => unknown;

/** How a turn ended. `replayed`: one of its messages had already been stored. */
type Outcome = 'done' | 'replayed' | 'interrupted';

/** How many finished events and chats are remembered. This only saves requests: idempotency keys prevent duplicates. */
const MAX_REMEMBERED = 10_000;
/** Milliseconds until a failed handler runs again, multiplied by the number of failures, up to a maximum. */
const RETRY_PAUSE_MS = 1_000;
const MAX_RETRY_PAUSE_MS = 30_000;

/** Handles each event once. Events of a chat are handled in order, several chats concurrently. */
export class Dispatcher {
  private readonly queues: ChatQueues;
  private readonly running = new Map<string, Promise<void>>();
  private readonly done = new Recent<true>(MAX_REMEMBERED);
  private readonly context: TurnContext;
  /** The running turn of each chat. */
  private readonly turns = new Map<string, Turn>();
  /** Chats that the bots have lost according to an event, until a turn checks again. */
  private readonly taken = new Recent<true>(MAX_REMEMBERED);
  private readonly bursts = new Bursts();
  private isClosed = false;

  constructor(
    context: Omit<TurnContext, 'unanswered'>,
    private readonly find: (event: ParleyEvent<EventType>) => Handler | undefined,
  ) {
    this.context = { ...context, unanswered: new Recent<number>(MAX_REMEMBERED) };
    this.queues = new ChatQueues(context.settings.concurrency);
  }

  /** Handles an event, or waits for its running handler. @throws if it wasn't handled and must be redelivered */
  take(event: ParleyEvent<EventType>): Promise<void> {
    const known = this.running.get(event.id);
    if (known) return known;
    if (this.isDone(event.id)) return Promise.resolve();
    if (!('chat' in event.data)) return this.takeOfVisitor(event);
    if (event.type === 'message.created') receiveFiles([(event as MessageEvent).data.message], this.context);
    this.noteOwner(event);
    this.bursts.add(event);
    if (this.isGrouped(event)) this.turns.get(event.data.chat.id)?.interrupt();
    const taken = this.queues
      .add(event.data.chat.id, () => this.handle(event))
      .finally(() => {
        this.running.delete(event.id);
        this.bursts.remove(event);
      });
    this.running.set(event.id, taken);
    return taken;
  }

  // A webhook may also get other events that aren't about a chat.
  private takeOfVisitor(event: ParleyEvent | VisitorEvent): Promise<void> {
    if (event.type !== 'visitor.updated') return Promise.resolve();
    const taken = this.queues
      .add(event.data.visitor.id, () => this.handleOfVisitor(event))
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

  /** Waits until none of these events is being handled. */
  async settled(eventIds: string[]): Promise<void> {
    await Promise.allSettled(eventIds.flatMap((id) => this.running.get(id) ?? []));
  }

  /** Starts no further turns, and waits for running ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.bursts.close();
    await Promise.allSettled(this.running.values());
  }

  /**
   * Ends the turn of a chat that people have, or that is closed. The event may be old, so the service is asked who has the chat now,
   * for the running turn and before the next one starts.
   */
  private noteOwner({ data: { chat } }: ParleyEvent<EventType>): void {
    if (chat.owner === 'BOT') return;
    this.taken.set(chat.id, true);
    const turn = this.turns.get(chat.id);
    if (!turn?.needsChat) return;
    // If this fails, so does the turn's next request.
    turn.checkOwner().catch(() => undefined);
  }

  private async handle(event: ParleyEvent<EventType>): Promise<void> {
    // A turn for an earlier message has answered it.
    if (this.isDone(event.id)) return;
    this.throwIfClosed();
    if (senderOf(event) === 'VISITOR') this.context.unanswered.set(event.data.chat.id, 0);
    const handler = this.find(event);
    if (handler && this.isGrouped(event)) return this.handleBurst(event, handler);
    const task = { event, key: event.id, needsAnswer: event.type === 'message.created' };
    if (handler) await this.runTurns(task, handler);
    this.done.set(event.id, true);
  }

  /** Runs the handler of an event without a chat, once. There is no one to hand it to if it fails. */
  private async handleOfVisitor(event: VisitorEvent): Promise<void> {
    this.throwIfClosed();
    const { settings, stopped } = this.context;
    const handler = this.find(event as never);
    try {
      if (handler)
        await withTimeLimit(Math.min(settings.deadline, MAX_TIMER_MS), stopped, (signal) =>
          run(handler, event, signal),
        );
    } catch (error) {
      this.rethrowFatal(error);
      const { id: eventId, type, data } = event;
      settings.log(`${eventId} (${type}) of ${data.visitor.id}: ${toText(error)}`, { level: 'error', eventId, error });
    }
    this.done.set(event.id, true);
  }

  /** Whether the event is a message that may share its turn with others. */
  private isGrouped(event: ParleyEvent<EventType>): event is MessageEvent {
    return this.context.settings.onNewMessage !== 'queue' && event.type === 'message.created' && !!this.find(event);
  }

  /** Runs turns for this message and newer ones until a turn ends without an interruption. */
  private async handleBurst(event: MessageEvent, handler: Handler): Promise<void> {
    const { onNewMessage, collectFor } = this.context.settings;
    if (onNewMessage === 'collect') await this.bursts.quiet(event.data.chat.id, collectFor);
    for (let outcome: Outcome = 'interrupted'; outcome === 'interrupted';) {
      this.throwIfClosed();
      const burst = await this.burstOf(event);
      outcome = await this.runTurns(this.toTask(burst), handler);
      if (outcome === 'interrupted') continue;
      // An unfinished request of a killed process may have answered some of them. The others get another turn.
      const isOther = outcome === 'replayed' && !burst.isPinned;
      const { events } = isOther ? await this.burstOf(event) : burst;
      for (const { id } of events) this.done.set(id, true);
    }
  }

  /**
   * The messages that share a turn with this one. Once a turn has sent something, its messages stay together even after a crash,
   * because the bot's own messages name the messages that they answer.
   */
  private async burstOf(event: MessageEvent): Promise<Burst> {
    const { message } = event.data;
    const later = await this.read(event, message.seq);
    const waiting = this.bursts.from(event, (one) => this.isGrouped(one));
    const burst = withoutGap(waiting, later);
    const ranges = later.flatMap((one) => answersOf(one) ?? []);
    const range = ranges.find((one) => isIn(one, message));
    if (!range) return until(burst, (one) => ranges.some((other) => isIn(other, one)));
    const all = await this.read(event, range.fromSeq - 1, range.toSeq);
    const messages = all.filter(({ sender }) => sender.type === 'VISITOR');
    const events = burst.events.filter(({ data }) => isIn(range, data.message));
    return { events, messages: messages.length > 0 ? messages : [message], isPinned: true };
  }

  /** Reads messages of the chat; none if Parley refuses, for example because the chat was erased. It then refuses the answer too. */
  private read(event: MessageEvent, afterSeq: number, toSeq?: number): Promise<Message[]> {
    return messagesAfter(this.context, event.data.chat.id, afterSeq, toSeq).catch((error: unknown) => {
      this.rethrowFatal(error);
      return [];
    });
  }

  private toTask({ events, messages, isPinned }: Burst): Omit<Task, 'attempt'> {
    const [first, last] = [messages[0]!, messages.at(-1)!];
    const answers = { fromSeq: first.seq, toSeq: last.seq };
    return { event: events.at(-1)!, key: first.id, needsAnswer: true, messages, answers, isPinned };
  }

  private async runTurns(task: Omit<Task, 'attempt'>, handler: Handler): Promise<Outcome> {
    const { event } = task;
    for (let attempt = 1; ; attempt++) {
      const turn = new Turn({ ...task, attempt }, this.context);
      this.turns.set(event.data.chat.id, turn);
      try {
        if (!(await this.mayBegin(turn))) return 'done';
        await turn.run(() => handler(event, turn.tools(), task.messages ?? []));
        if (turn.isInterrupted) return 'interrupted';
        return turn.hasReplayed ? 'replayed' : 'done';
      } catch (error) {
        this.rethrowFatal(error);
        turn.log(toText(error), 'error', error);
        if (!(await this.isRetried({ ...task, attempt }, turn, error))) return 'done';
      } finally {
        this.turns.delete(event.data.chat.id);
      }
      await sleep(Math.min(RETRY_PAUSE_MS * attempt, MAX_RETRY_PAUSE_MS), this.context.stopped);
    }
  }

  private throwIfClosed(): void {
    if (this.isClosed) throw new Error('The bot is stopping');
  }

  /** Whether the bots still have the chat. Asks the service only if an event has put that in doubt. */
  private async mayBegin(turn: Turn): Promise<boolean> {
    const { chatId } = turn;
    if (!turn.needsChat || !this.taken.get(chatId)) return true;
    this.taken.delete(chatId);
    const isOurs = await turn.checkOwner();
    if (!isOurs) this.taken.set(chatId, true);
    return isOurs;
  }

  /** Applies `onError`. @returns whether the handler runs again */
  private async isRetried(task: Task, turn: Turn, error: unknown): Promise<boolean> {
    const verdict = await this.askOnError(task, error);
    if (verdict === 'retry') return true;
    await (verdict === 'ignore' ? turn.keepShown() : turn.fail(error)).catch((reason: unknown) => {
      this.rethrowFatal(reason);
      turn.log(`not handed over: ${toText(reason)}`, 'error', reason);
    });
    return false;
  }

  private async askOnError(task: Task, error: unknown): Promise<Verdict> {
    // A new turn, because the handler's turn is over.
    const turn = new Turn({ ...task, key: `${task.key}.error${task.attempt}`, needsAnswer: false }, this.context);
    try {
      const { event } = task;
      return await turn.run(() => this.context.settings.onError(error, { ...turn.tools(), event }));
    } catch (reason) {
      this.rethrowFatal(reason);
      turn.log(`onError: ${toText(reason)}`, 'error', reason);
      return undefined;
    }
  }

  /** @throws errors that affect the whole bot: it has stopped, or its token is invalid */
  private rethrowFatal(error: unknown): void {
    this.context.stopped.throwIfAborted();
    if (error instanceof ParleyError && error.status === 401) throw error;
  }
}

/** @throws the handler's error, or the signal's reason if it aborts first */
async function run(handler: Handler, event: VisitorEvent, signal: AbortSignal): Promise<void> {
  const ending = aborted(signal).then(() => {
    throw signal.reason as Error;
  });
  await Promise.race([handler(event as never, { signal } as Tools, []), ending]);
}

/** The sender of an event's message; null if the event has no message. */
export function senderOf({ data }: ParleyEvent<EventType>): string | null {
  return 'message' in data ? data.message.sender.type : null;
}
