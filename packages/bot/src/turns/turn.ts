import { ChatState } from '../chat-state.js';
import { Clock } from '../lib/clock.js';
import { DeadlineError, NoReplyError, toText, TurnOverError } from '../errors.js';
import type { LogContext } from '../options.js';
import { messagesAfter, Sender, type TurnContext } from './sender.js';
import { anything, checkOptions } from '../lib/check.js';
import { causeOf } from '../lib/fit.js';
import { checkChoices, HAND_OVER, SAID, toOutgoing } from '../lib/option-checks.js';
import { MAX_LENGTH } from '../lib/text.js';
import { collect, type Source, toMessages } from './speech.js';
import { ArgumentError, authorsError } from '../lib/stack.js';
import { makeController } from '../lib/signals.js';
import { sleep } from '../lib/timer.js';
import type { Task, Tools, TurnChat } from './tools.js';
import { Typing } from './typing.js';
import type {
  Chat,
  Content,
  GroupAvailability,
  HandOver,
  HandOverOptions,
  Message,
  MessageOptions,
  OutgoingMessage,
  SentMessage,
} from '../wire.js';

/** Milliseconds that a stream may lag behind the tool calls of its model. */
const STREAM_LAG_MS = 50;

type Effect = 'reply' | 'say' | 'handOver';

/** One run of a handler for one event. */
export class Turn {
  private readonly controller = makeController();
  private readonly typing: Typing;
  private readonly sender: Sender;
  private readonly effects = new Set<Promise<unknown>>();
  /** Errors of the handler's calls. */
  private readonly failures = new Set<unknown>();
  private readonly clock: Clock;
  private readonly late: Promise<'late'>;
  /** Whether the turn has answered, or called `ignore()`. */
  private isAnswered = false;
  /** Whether a message or a hand-over has started. From then on, the turn isn't interrupted. */
  private hasBegun: boolean;
  private isHandedOver = false;
  /** The turn's own hand-over while it's being sent. Never rejects. */
  private handingOver?: Promise<unknown>;
  /** A part of the live text, while it's being sent as a message. Never rejects. */
  private sending: Promise<unknown> = Promise.resolve();
  /** The message of an answer that the visitor stopped, while it's being sent. Rejects with its error. */
  private stopping?: Promise<void>;
  /** The live text that isn't part of a message yet. */
  private shown = '';
  /** The stream that is being said: its text so far, and how much of that is stored already. */
  private speech?: { text: string; stored: number };

  constructor(
    private readonly task: Task,
    private readonly context: TurnContext,
  ) {
    const onRefused = ({ message }: Error) => void this.endUnlessHandedOver(message);
    this.typing = new Typing(context.api, this.chat.id, onRefused, () => this.stopAnswer());
    const log = (line: string, level: LogContext['level']) => this.log(line, level);
    const end = (why: string) => this.end(why);
    const { answers, event } = task;
    const begin = () => this.begin();
    this.sender = new Sender(context, this.chat, task.key, this.typing, log, end, begin, answers, event.traceparent);
    this.hasBegun = task.isPinned ?? false;
    let ring!: () => void;
    this.late = new Promise((resolve) => {
      ring = () => resolve('late');
    });
    this.clock = new Clock(context.settings.deadline, ring);
  }

  private get chat(): Chat {
    return this.task.event.data.chat;
  }

  get chatId(): string {
    return this.chat.id;
  }

  readonly tools = (): Tools => {
    const { api, stopped } = this.context;
    const tools: Tools = {
      // Not enumerable, so that a chat still has the form of an event's chat when it's copied or logged.
      chat: Object.defineProperty({ ...this.chat } as TurnChat, 'state', {
        value: new ChatState(api, this.chat.id, stopped),
      }),
      signal: this.controller.signal,
      attempt: this.task.attempt,
      reply: (content, more) => this.track('reply', tools.reply, () => this.reply(content, more)),
      say: (source, more) => this.track('say', tools.say, () => this.say(source, more)),
      handOver: (options = {}) => this.track('handOver', tools.handOver, () => this.handOver(options)),
      ignore: () => void (this.isAnswered = true),
      history: (limit = 20) =>
        handled(authorsError('history', tools.history, () => this.read(() => this.history(limit)))),
      availability: () =>
        handled(authorsError('availability', tools.availability, () => this.read(() => this.availability()))),
    };
    return tools;
  };

  /** Runs a handler until it ends or the deadline passes. @throws the handler's error; DeadlineError; NoReplyError */
  async run<T>(handler: () => T): Promise<Awaited<T> | undefined> {
    if (this.chat.owner === 'BOT') this.typing.start(this.context.settings.typingAfter);
    this.clock.go();
    const handled = this.handle(handler);
    // If the bot was stopped, the handler's error isn't reported.
    handled.catch(() => undefined);
    let thrown: unknown;
    try {
      const result = await Promise.race([handled, this.late, this.stop()]);
      await this.stopping;
      if (result !== 'late') return result as Awaited<T>;
      await this.beLate();
    } catch (error) {
      thrown = error;
      if (!(error instanceof TurnOverError)) throw error;
    } finally {
      this.clock.pause();
      this.end('its handler has ended');
      for (const error of this.failures) if (error !== thrown) this.log(toText(error), 'error', error);
    }
    return undefined;
  }

  /** Whether a newer message interrupted it before it had sent anything. */
  isInterrupted = false;

  get hasReplayed(): boolean {
    return this.sender.hasReplayed;
  }

  /** Interrupts the turn for a newer message, unless it has sent something. */
  interrupt(): void {
    const isInterruptible = this.context.settings.onNewMessage === 'interrupt' && this.task.needsAnswer;
    if (!isInterruptible || this.hasBegun || this.controller.signal.aborted) return;
    this.isInterrupted = true;
    this.end('the visitor has written more');
  }

  /** Whether it depends on the bots having the chat: they had it at the start, and the turn hasn't handed it over itself. */
  get needsChat(): boolean {
    return this.chat.owner === 'BOT' && !this.isHandedOver && !this.controller.signal.aborted;
  }

  /** Ends the turn if the bots no longer have the chat. @returns whether they have it */
  async checkOwner(): Promise<boolean> {
    const owner = await this.sender.owner().catch((error: unknown) => {
      if (error instanceof TurnOverError) return null;
      throw error;
    });
    if (owner !== 'BOT') await this.endUnlessHandedOver('the bots do not have the chat');
    return owner === 'BOT';
  }

  // People may have a chat that this turn hands over before the turn gets the response.
  private async endUnlessHandedOver(why: string): Promise<void> {
    await this.handingOver;
    if (this.needsChat) this.end(why);
  }

  /** Ends the turn because the visitor stopped its answer, and stores what the visitor has read. */
  private stopAnswer(): void {
    if (!this.needsChat) return;
    this.end('the visitor has stopped the answer');
    // What is being sent now isn't live text afterwards, unless it's refused.
    this.stopping = this.sending.then(() => this.sendAll(toMessages(this.shown)));
    this.stopping.catch(() => undefined);
  }

  private async sendAll(contents: string[]): Promise<void> {
    for (const [index, content] of contents.entries())
      await this.quietly(this.sender.send({ content }, `${this.task.key}.stopped${index}`));
  }

  /** Stores the live text as a message if `keepPartialText` is set. */
  async keepShown(): Promise<void> {
    const text = this.shown.trimEnd();
    if (!this.context.settings.keepPartialText || text === '') return;
    const [content] = toMessages([...text].slice(0, MAX_LENGTH - 1).join(''));
    if (content === undefined) return;
    await this.quietly(this.sender.send({ content: `${content}…` }, `${this.task.key}.partial`));
  }

  /** Hands the chat over because of an error, according to `failure`. */
  async fail(error: unknown): Promise<void> {
    const { sentence, targetGroupId, ...texts } = this.context.settings.failure;
    const options = { reason: 'bot_failed', ...texts, cause: causeOf(error) };
    const key = `${this.task.key}.giveUp`;
    await this.unlessRefused(this.keepShown());
    if (sentence) await this.unlessRefused(this.sender.send({ content: sentence }, `${this.task.key}.sentence`));
    if (targetGroupId === undefined) return this.quietly(this.sender.transfer(options, key));
    await this.quietly(this.sender.transfer({ ...options, targetGroupId }, key)).catch((error: unknown) => {
      this.log(`failure.targetGroupId: ${(error as Error).message}; the default group gets the chat`, 'error', error);
      return this.quietly(this.sender.transfer(options, key));
    });
  }

  /** Waits for a message before a hand-over, which an error of the message must not prevent. */
  private async unlessRefused(message: Promise<unknown>): Promise<void> {
    await this.quietly(message).catch((error: unknown) => {
      this.context.stopped.throwIfAborted();
      this.log(`not sent before the hand-over: ${toText(error)}`, 'error', error);
    });
  }

  /** Logs a line about the event. */
  log(line: string, level: LogContext['level'], error?: unknown): void {
    const { id: eventId, type } = this.task.event;
    const about = { level, eventId, chatId: this.chat.id, ...(error !== undefined && { error }) };
    this.context.settings.log(`${eventId} (${type}) in ${this.chat.id}: ${line}`, about);
  }

  /** @throws the handler's error, unless the turn is over: an aborted signal causes errors of its own */
  private async handle<T>(handler: () => T): Promise<Awaited<T> | undefined> {
    try {
      const result = await handler();
      await this.settle();
      const isSilent = this.task.needsAnswer && !this.isAnswered && !this.controller.signal.aborted;
      if (isSilent) throw new NoReplyError();
      return result;
    } catch (error) {
      if (!this.controller.signal.aborted) throw error;
      return undefined;
    }
  }

  private async quietly(request: Promise<unknown>): Promise<void> {
    await request.catch((error: unknown) => {
      if (!(error instanceof TurnOverError)) throw error;
    });
  }

  private async beLate(): Promise<void> {
    // The turn is already over, so the deadline no longer matters.
    if (this.controller.signal.aborted) return;
    this.end('its deadline has passed');
    const { deadline, deadlineSentence: content } = this.context.settings;
    if (content === undefined) throw new DeadlineError(`A handler took more than ${deadline} ms`);
    await this.keepShown();
    await this.sender.send({ content }, `${this.task.key}.late`);
  }

  /** Never resolves. Rejects when the bot is stopped and its grace period is over. */
  private stop(): Promise<never> {
    const { stopped } = this.context;
    return new Promise((_, reject) => {
      const give = () => reject(stopped.reason as Error);
      if (stopped.aborted) return give();
      stopped.addEventListener('abort', give, { once: true });
      this.controller.signal.addEventListener('abort', () => stopped.removeEventListener('abort', give), {
        once: true,
      });
    });
  }

  /** Waits for calls that the handler didn't await. */
  private async settle(): Promise<void> {
    while (this.effects.size > 0) await Promise.allSettled(this.effects);
  }

  private begin(): void {
    if (this.isInterrupted) throw new TurnOverError('the visitor has written more');
    this.hasBegun = true;
  }

  private end(why: string): void {
    this.typing.stop();
    this.controller.abort(new TurnOverError(why));
  }

  /** Runs a handler's call, unless the turn is over. An error of a call that isn't awaited doesn't crash the process. */
  private track<T>(name: Effect, tool: (...input: never[]) => unknown, work: () => Promise<T>): Promise<T> {
    const { signal } = this.controller;
    const done = authorsError(name, tool, async () => {
      signal.throwIfAborted();
      if (this.isHandedOver) this.refuseAfterHandOver(name);
      return work();
    });
    this.effects.add(done);
    done
      .catch((error: unknown) => {
        // Errors after the turn is over are how it ends.
        if (!signal.aborted && !(error instanceof TurnOverError)) this.failures.add(error);
      })
      .finally(() => this.effects.delete(done));
    return done;
  }

  private refuseAfterHandOver(name: Effect): never {
    this.log(`${name}() after handOver() is not sent: use handOver({ say: '…' })`, 'warn');
    throw new TurnOverError('the bot has handed the chat over');
  }

  /** Sends a request to the service. Its duration doesn't count toward the deadline. */
  private async read<T>(request: () => Promise<T>): Promise<T> {
    this.clock.pause();
    try {
      return await request();
    } finally {
      this.clock.go();
    }
  }

  private async reply(message: string | OutgoingMessage, more: MessageOptions = {}): Promise<SentMessage> {
    const { text: content, files, ...rest } = toOutgoing(message, more);
    if (!files?.length) return this.send({ content, ...rest });
    const ids = await this.read(() => this.sender.upload(files, this.controller.signal));
    return this.send({ content, ...rest, files: ids });
  }

  private async send(content: Content): Promise<SentMessage> {
    const sent = await this.read(() => this.sender.send(content, undefined, this.controller.signal));
    this.isAnswered = true;
    return sent;
  }

  private async say(source: Source, options: Omit<MessageOptions, 'files'> = {}): Promise<SentMessage[]> {
    checkOptions(options, SAID);
    const { type, metadata } = options;
    const { signal } = this.controller;
    if (typeof source !== 'string' && this.chat.owner === 'BOT') this.typing.start(0);
    const speech = (this.speech = { text: '', stored: 0 });
    const { text, metadata: given } = await collect(source, (soFar, status) => {
      signal.throwIfAborted();
      speech.text = soFar;
      this.show(soFar.slice(speech.stored), status);
    });
    this.speech = undefined;
    const sent: SentMessage[] = [];
    if (this.isHandedOver) return sent;
    const contents = toMessages(text.slice(speech.stored));
    for (const [index, content] of contents.entries()) {
      signal.throwIfAborted();
      const isLast = index === contents.length - 1;
      const more = { ...metadata, ...(isLast && given) };
      const hasMetadata = Object.keys(more).length > 0;
      if (isLast) checkChoices(type, more);
      const message = { content, ...(isLast && type && { type }), ...(hasMetadata && { metadata: more }) };
      sent.push(await this.sendPart(message, contents.slice(index + 1)));
    }
    this.shown = '';
    return sent;
  }

  /** Sends a part of the live text. The others stay live. */
  private async sendPart(part: Content, others: string[]): Promise<SentMessage> {
    const sent = this.send(part).then((message) => {
      if (this.shown !== '') this.shown = others.join('\n\n');
      return message;
    });
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private show(text: string, status?: string): void {
    if (this.chat.owner !== 'BOT' || this.isHandedOver || (text.trim() === '' && !status)) return;
    this.shown = text;
    this.typing.write(text, status);
  }

  private async handOver(given: HandOverOptions & { say?: Source }): Promise<HandOver | null> {
    checkOptions(given, { ...HAND_OVER, say: anything });
    const { say, ...options } = given;
    if (say !== undefined && options.ifUnavailable === 'FAIL') {
      throw new ArgumentError("say needs a hand-over that cannot fail: leave out ifUnavailable: 'FAIL'");
    }
    await this.storeSpoken();
    if (say !== undefined) await this.say(say);
    const handingOver = this.transfer(options);
    this.handingOver = handingOver.catch(() => undefined);
    return handingOver;
  }

  private async transfer(options: HandOverOptions): Promise<HandOver | null> {
    const handedOver = await this.read(() => this.sender.transfer(options));
    if (handedOver === null) return null;
    this.isAnswered = true;
    this.isHandedOver = true;
    this.typing.stop();
    return handedOver;
  }

  /** Stores what a stream has said until a model's tool hands the chat over, because the visitor has read it. */
  private async storeSpoken(): Promise<void> {
    if (!this.speech) return;
    // The stream may not have brought yet what the model wrote before the call.
    await this.read(() => sleep(STREAM_LAG_MS, this.controller.signal));
    const { speech } = this;
    if (!speech) return;
    const { text, stored } = speech;
    speech.stored = text.length;
    const contents = toMessages(text.slice(stored));
    for (const [index, content] of contents.entries()) await this.sendPart({ content }, contents.slice(index + 1));
    this.shown = '';
  }

  private async history(limit: number): Promise<Message[]> {
    if (!(limit >= 1)) throw new ArgumentError(`limit must be a number from 1, not ${limit}`);
    const { data } = this.task.event;
    const last = this.task.messages?.at(-1) ?? ('message' in data ? data.message : undefined);
    const seq = last?.seq ?? this.chat.messageCount;
    return messagesAfter(this.context, this.chat.id, Math.max(0, seq - Math.trunc(limit)), seq);
  }

  private async availability(): Promise<GroupAvailability[]> {
    return (await this.sender.call<GroupAvailability[]>('GET', '/groups/availability')).body;
  }
}

/** Keeps a rejection from crashing the process if the handler ends before it awaits the promise. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
