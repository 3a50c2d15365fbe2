import type { Answer, Api, Call } from './api.js';
import { Clock } from './clock.js';
import { DeadlineError, ParleyError, TurnOverError } from './errors.js';
import type { Settings } from './options.js';
import type { Recent } from './recent.js';
import { collect, type Source, toMessages } from './speech.js';
import { Typing } from './typing.js';
import type {
  Chat,
  Content,
  EventType,
  GroupAvailability,
  HandOver,
  HandOverOptions,
  Message,
  MessagePage,
  ParleyEvent,
  SentMessage,
} from './wire.js';

/** What every handler gets. After the turn is over each function but `history` and `availability` rejects with TurnOverError. */
export interface Tools {
  chat: Chat;
  /** Ends when the turn is over: hand it to your model's client. */
  signal: AbortSignal;
  /** Sends one message, only while the bots have the chat. */
  reply: (content: string, more?: Omit<Content, 'content'>) => Promise<SentMessage>;
  /**
   * Sends what a text or a stream of texts contains, at its end; several messages when it is too long for one. The visitor sees
   * a stream while it comes.
   */
  say: (source: Source) => Promise<SentMessage[]>;
  /** Hands the chat to people; null when no agent is free (with `ifUnavailable: 'FAIL'` alone). */
  handOver: (options?: HandOverOptions) => Promise<HandOver | null>;
  /** The latest messages up to the event, oldest first; 20 when omitted, at most 200. */
  history: (limit?: number) => Promise<Message[]>;
  /** Whether agents of each group can take a chat. */
  availability: () => Promise<GroupAvailability[]>;
}

/** What a chat's turns share. */
export interface TurnContext {
  api: Api;
  settings: Settings;
  /** By chat: how many messages the bot has sent since the visitor's last. */
  unanswered: Recent<number>;
  /** Ends every request of a bot that is stopped. */
  stopped: AbortSignal;
}

/** Refusals that are no errors: people have the chat, or it has ended. */
const QUIET: readonly string[] = ['not_owner', 'conflict'];
/** The chat's visitor was erased. */
const ERASED = 'not_found';
/** The part of an answer that says that this key has had its effect, with another text. */
const DONE_BEFORE = 'idempotency_key_reused';
/** Characters (Unicode code points) of a hand-over's reason. */
const MAX_REASON = 500;

/** One run of a handler for one event. */
export class Turn {
  private readonly controller = new AbortController();
  private readonly typing: Typing;
  private readonly effects = new Set<Promise<unknown>>();
  private readonly clock: Clock;
  private readonly late: Promise<'late'>;
  private keys = 0;

  constructor(
    private readonly event: ParleyEvent<EventType>,
    private readonly context: TurnContext,
  ) {
    this.typing = new Typing(context.api, this.chat.id, (error) => this.end(error.message));
    let ring!: () => void;
    this.late = new Promise((resolve) => {
      ring = () => resolve('late');
    });
    this.clock = new Clock(context.settings.deadline, ring);
  }

  private get chat(): Chat {
    return this.event.data.chat;
  }

  readonly tools = (): Tools => ({
    chat: this.chat,
    signal: this.controller.signal,
    reply: (content, more) => this.track(() => this.read(() => this.send({ content, ...more }))),
    say: (source) => this.track(() => this.say(source)),
    handOver: (options = {}) => this.track(() => this.read(() => this.transfer(options, this.nextKey()))),
    history: (limit = 20) => this.read(() => this.history(limit)),
    availability: () =>
      this.read(async () => (await this.call<GroupAvailability[]>('GET', '/groups/availability')).body),
  });

  /** Runs a handler to its end, or to the deadline. @throws what the handler throws; DeadlineError */
  async run(handler: () => unknown): Promise<void> {
    if (this.chat.owner === 'BOT') this.typing.start(this.context.settings.typingAfter);
    this.clock.go();
    const handled = this.handle(handler);
    // What it throws when the bot was stopped meanwhile is not reported.
    handled.catch(() => undefined);
    try {
      if ((await Promise.race([handled, this.late, this.stop()])) === 'late') await this.beLate();
    } catch (error) {
      if (!(error instanceof TurnOverError)) throw error;
    } finally {
      this.clock.pause();
      this.typing.stop();
      this.end('its handler has ended');
    }
  }

  /** @throws what the handler throws while the turn is not over; after that, what its signal ended throws errors of its own */
  private async handle(handler: () => unknown): Promise<void> {
    try {
      await handler();
      await this.settle();
    } catch (error) {
      if (!this.controller.signal.aborted) throw error;
    }
  }

  /** Hands the chat to people because of an error of the handler. */
  async giveUp(reason: string): Promise<void> {
    await this.transfer({ reason }, `${this.event.id}.giveUp`).catch((error: unknown) => {
      if (!(error instanceof TurnOverError)) throw error;
    });
  }

  private async beLate(): Promise<void> {
    this.end('its deadline has passed');
    const { deadline, deadlineSentence: content } = this.context.settings;
    if (content === undefined) throw new DeadlineError(`A handler took more than ${deadline} ms`);
    await this.send({ content }, `${this.event.id}.late`);
  }

  /** Never resolves: rejects when the bot is stopped and its grace is over. */
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

  /** Waits for what the handler did not wait for. */
  private async settle(): Promise<void> {
    while (this.effects.size > 0) await Promise.allSettled(this.effects);
  }

  private end(why: string): void {
    this.controller.abort(new TurnOverError(why));
  }

  /** Does something that a handler asked for, unless the turn is over. A handler that does not wait for it is no crash. */
  private track<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.controller;
    const done = signal.aborted ? Promise.reject(signal.reason as Error) : work();
    this.effects.add(done);
    done
      .catch((error: unknown) => {
        if (!(error instanceof TurnOverError)) this.context.settings.log(`${this.event.id}: ${String(error)}`);
      })
      .finally(() => this.effects.delete(done));
    return done;
  }

  /** Asks the service; the deadline does not count what it takes. */
  private async read<T>(request: () => Promise<T>): Promise<T> {
    this.clock.pause();
    try {
      return await request();
    } finally {
      this.clock.go();
    }
  }

  private async say(source: Source): Promise<SentMessage[]> {
    const { signal } = this.controller;
    if (typeof source !== 'string' && this.chat.owner === 'BOT') this.typing.start(0);
    const isShown = this.chat.owner === 'BOT';
    const text = await collect(source, (soFar) => {
      signal.throwIfAborted();
      if (isShown && soFar.trim() !== '') this.typing.write(soFar);
    });
    const sent: SentMessage[] = [];
    for (const content of toMessages(text)) {
      signal.throwIfAborted();
      sent.push(await this.read(() => this.send({ content })));
    }
    return sent;
  }

  private async send(content: Content, key = this.nextKey()): Promise<SentMessage> {
    const { unanswered, settings } = this.context;
    const count = unanswered.get(this.chat.id) ?? 0;
    if (count >= settings.maxUnanswered) return this.breakLoop(count);
    // What is told after the message would stand there as the beginning of the next one.
    await this.typing.settle();
    const body = { chatId: this.chat.id, ...content, ifOwner: 'BOT' };
    const { body: sent, isReplayed } = await this.quietly(
      () => this.effect<SentMessage>('/messages', body, key),
      ERASED,
    );
    // A repeated message ends nothing that is shown.
    if (isReplayed) return sent;
    unanswered.set(this.chat.id, count + 1);
    this.typing.messageWasSent();
    return sent;
  }

  private async breakLoop(count: number): Promise<never> {
    this.context.settings.log(`${this.chat.id}: ${count} messages without one of the visitor; the chat goes to people`);
    await this.transfer({ reason: 'The bot went on without an answer' }, `${this.event.id}.loop`);
    return this.isOver('the bot said too much without an answer');
  }

  private async transfer({ reason, ...options }: HandOverOptions, key: string): Promise<HandOver | null> {
    // A transfer has no ifOwner: an agent who took the chat would lose it.
    const { body: chat } = await this.quietly(() => this.call<Chat>('GET', this.path('')), ERASED);
    if (chat.owner !== 'BOT') return this.isOver('the bots do not have the chat');
    const cut = reason && [...reason].slice(0, MAX_REASON).join('');
    const body = { chatId: this.chat.id, reason: cut, ...options };
    try {
      return (await this.quietly(() => this.effect<HandOver>('/transfer', body, key))).body;
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'nobody_available') return null;
      throw error;
    }
  }

  private async history(limit: number): Promise<Message[]> {
    const seq = 'message' in this.event.data ? this.event.data.message.seq : this.chat.messageCount;
    const messages: Message[] = [];
    // A page may end before the limit: it holds 1 MB at most.
    for (let afterSeq = Math.max(0, seq - limit), hasMore = true; hasMore && afterSeq < seq;) {
      const query = `?afterSeq=${afterSeq}&limit=${limit}`;
      const { body } = await this.call<MessagePage>('GET', this.path(`/messages${query}`));
      messages.push(...body.messages);
      afterSeq = messages.at(-1)?.seq ?? seq;
      ({ hasMore } = body);
    }
    return messages.filter((message) => message.seq <= seq);
  }

  private path(rest: string): string {
    return `/chats/${encodeURIComponent(this.chat.id)}${rest}`;
  }

  private nextKey(): string {
    return `${this.event.id}.${++this.keys}`;
  }

  /** Sends a request that has its effect once, however often the event comes. */
  private async effect<T>(path: string, body: object, key: string): Promise<Answer<T>> {
    try {
      return await this.call<T>('POST', path, { body, key });
    } catch (error) {
      // The same turn ran before and said it in other words, as language models do: it has been said.
      if (!(error instanceof ParleyError) || error.code !== DONE_BEFORE) throw error;
      return { body: { id: '', status: 'sent' } as T, isReplayed: true };
    }
  }

  /** Ends the turn when Parley says that the chat is no longer the bots'. */
  private async quietly<T>(request: () => Promise<T>, ...others: string[]): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof ParleyError && [...QUIET, ...others].includes(error.code)) return this.isOver(error.message);
      throw error;
    }
  }

  private isOver(why: string): never {
    this.end(why);
    throw new TurnOverError(why);
  }

  private call<T>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    return this.context.api.call<T>(method, path, { ...call, signal: this.context.stopped });
  }
}
