import type { Answer, Call } from '../transport/api.js';
import type { Answers } from './bursts.js';
import { ParleyError, TurnOverError } from '../errors.js';
import type { FileInput } from '../files/file-input.js';
import { type Connection, receiveFiles } from '../files/received-file.js';
import { sendFiles } from '../files/send-files.js';
import type { LogContext, Settings } from '../options.js';
import { fit } from '../lib/fit.js';
import type { Recent } from '../lib/recent.js';
import type { Typing } from './typing.js';
import type { Chat, Content, HandOver, HandOverOptions, Message, MessagePage, SentMessage } from '../wire.js';

/** Shared by all turns of a bot. */
export interface TurnContext extends Connection {
  settings: Settings;
  /** How many messages the bot has sent since the visitor's last one, by chat. */
  unanswered: Recent<number>;
}

/** Refusals that aren't errors: people have the chat, or it's closed. */
const QUIET: readonly string[] = ['not_owner', 'conflict'];
/** The chat's visitor was erased. */
const ERASED = 'not_found';
/** The code of a response if this key already had its effect with another text. */
const DONE_BEFORE = 'idempotency_key_reused';
/** Messages of one page. */
const PAGE = 200;

/** The messages of a chat after a `seq`, up to another or the last one, oldest first. */
export async function messagesAfter(
  { api, stopped }: Connection,
  chatId: string,
  afterSeq: number,
  toSeq = Number.POSITIVE_INFINITY,
): Promise<Message[]> {
  const messages: Message[] = [];
  // A page may end before its limit, because it's at most 1 MB.
  for (let hasMore = true; hasMore && afterSeq < toSeq;) {
    const query = `?afterSeq=${afterSeq}&limit=${Math.min(PAGE, toSeq - afterSeq)}`;
    const path = `/chats/${encodeURIComponent(chatId)}/messages${query}`;
    const { body } = await api.call<MessagePage>('GET', path, { signal: stopped });
    receiveFiles(body.messages, { api, stopped });
    messages.push(...body.messages);
    ({ hasMore } = body);
    afterSeq = messages.at(-1)?.seq ?? toSeq;
  }
  return messages.filter(({ seq }) => seq <= toSeq);
}

/** A turn's requests about its chat. Each effect has an idempotency key, so that it happens once even if the event is redelivered. */
export class Sender {
  /** Whether an earlier run or attempt had already stored one of the messages. */
  hasReplayed = false;
  private keys = 0;

  constructor(
    private readonly context: TurnContext,
    private readonly chat: Chat,
    /** The prefix of each key. */
    private readonly key: string,
    private readonly typing: Typing,
    private readonly log: (line: string, level: LogContext['level']) => void,
    /** Ends the turn. */
    private readonly end: (why: string) => void,
    /** Called right before each effect. @throws TurnOverError if the turn is over */
    private readonly begin: () => void,
    /** The `answers` metadata of every message. */
    private readonly answers?: Answers,
    /** The trace of the event. */
    private readonly traceparent?: string,
  ) {}

  /** Sends a message. @throws TurnOverError if the bots don't have the chat; the signal's reason if it aborts before the request */
  async send(content: Content, key = this.nextKey(), signal?: AbortSignal): Promise<SentMessage> {
    const { unanswered, settings } = this.context;
    const count = unanswered.get(this.chat.id) ?? 0;
    if (count >= settings.maxUnanswered) return this.breakLoop(count);
    // Live text that arrives after the message would look like the beginning of the next one.
    await this.typing.settle();
    // The answer to the last live text may say that the visitor has stopped this message.
    signal?.throwIfAborted();
    const metadata = this.answers && { metadata: { ...content.metadata, answers: this.answers } };
    const body = { chatId: this.chat.id, ...content, ...metadata, ifOwner: 'BOT' };
    const { body: sent, isReplayed } = await this.quietly(
      () => this.effect<SentMessage>('/messages', body, key),
      ERASED,
    );
    // A replayed message doesn't replace the live text.
    this.hasReplayed ||= isReplayed;
    if (isReplayed) return sent;
    unanswered.set(this.chat.id, count + 1);
    this.typing.messageWasSent();
    return sent;
  }

  /** Uploads files for a message. @throws TurnOverError if the chat doesn't exist any longer; the signal's reason if it aborts */
  upload(files: readonly FileInput[], signal: AbortSignal): Promise<string[]> {
    const shared = { signal, traceparent: this.traceparent };
    return this.quietly(() => sendFiles(this.context.api, this.chat.id, files, shared), ERASED);
  }

  /** Hands the chat over; null if no agent is available. @throws TurnOverError if the bots don't have the chat */
  async transfer({ tags = [], ...options }: HandOverOptions, key = this.nextKey()): Promise<HandOver | null> {
    if (tags.length > 0) await this.tag(tags, `${key}.tags`);
    const fitting = fit(options, (line) => this.log(line, 'warn'));
    const body = { chatId: this.chat.id, ...fitting, ifOwner: 'BOT' };
    try {
      return (await this.quietly(() => this.effect<HandOver>('/transfer', body, key))).body;
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      if (error.code === 'nobody_available') return null;
      // Either the group or the chat doesn't exist. Without the chat, the turn is over.
      if (error.code === ERASED) await this.owner();
      throw error;
    }
  }

  // A tag beyond the limit must not prevent the hand-over.
  private async tag(tags: readonly string[], key: string): Promise<void> {
    try {
      await this.effect(this.path('/tags'), { add: tags }, key);
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      this.log(`handOver(): the tags were not added: ${error.message}`, 'warn');
    }
  }

  /** Who has the chat now. @throws TurnOverError if it was erased */
  async owner(): Promise<Chat['owner']> {
    return (await this.quietly(() => this.call<Chat>('GET', this.path('')), ERASED)).body.owner;
  }

  call<T>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    const { traceparent } = this;
    return this.context.api.call<T>(method, path, { ...call, traceparent, signal: this.context.stopped });
  }

  private async breakLoop(count: number): Promise<never> {
    this.log(`${count} messages without one of the visitor; the chat goes to people`, 'warn');
    await this.transfer({ reason: 'The bot went on without an answer' }, `${this.key}.loop`);
    return this.isOver('the bot said too much without an answer');
  }

  private path(rest: string): string {
    return `/chats/${encodeURIComponent(this.chat.id)}${rest}`;
  }

  private nextKey(): string {
    return `${this.key}.${++this.keys}`;
  }

  /** Sends a request that takes effect once, even if the event is redelivered. */
  private async effect<T>(path: string, body: object, key: string): Promise<Answer<T>> {
    this.begin();
    try {
      return await this.call<T>('POST', path, { body, key });
    } catch (error) {
      // The same turn ran before. If a retry produces different text, as language models do, the first text stands.
      if (!(error instanceof ParleyError) || error.code !== DONE_BEFORE) throw error;
      return { body: { id: '', status: 'sent' } as T, isReplayed: true };
    }
  }

  /** Ends the turn if Parley responds that the bots no longer have the chat. */
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
}
