import { ChatState } from './chat-state.js';
import { ParleyError } from './errors.js';
import { receiveFiles } from './files/received-file.js';
import { sendFiles } from './files/send-files.js';
import { aKey, type Checks, checkOptions, oneOf } from './lib/check.js';
import { HAND_OVER, toOutgoing } from './lib/option-checks.js';
import { fit } from './lib/fit.js';
import type { Log } from './options.js';
import type { Api } from './transport/api.js';
import { messagesAfter } from './turns/sender.js';
import type {
  Attributes,
  ChangedAttributes,
  ChatWithMessages,
  HandOver,
  HandOverOptions,
  Message,
  MessageOptions,
  OutgoingMessage,
  SentMessage,
} from './wire.js';

interface Tags {
  tags: string[];
}

/** The options of every change of a chat. */
export interface ChangeOptions {
  /** Only while the bots have the chat; otherwise the call rejects with a ParleyError whose `code` is `not_owner`. */
  ifOwner?: 'BOT';
}

/** The options of a change that must happen once. */
export interface OnceOptions extends ChangeOptions {
  /** The same key within 24 hours is the same change, which happens once. Omitted: each call is a change of its own. */
  idempotencyKey?: string;
}

const CHANGE: Checks<ChangeOptions> = { ifOwner: oneOf('BOT') };
const ONCE: Checks<OnceOptions> = { ...CHANGE, idempotencyKey: aKey };

/** A chat outside of a handler: for a job, or a server that learns of something. */
export class BotChat {
  /** What the bot keeps about the chat. */
  readonly state: ChatState;
  // Private to the runtime too: code that logs a chat must not log the bot's token.
  readonly #api: Api;
  readonly #log: Log;
  readonly #stopped: AbortSignal;

  constructor(
    api: Api,
    readonly id: string,
    log: Log,
    stopped: AbortSignal,
  ) {
    this.#api = api;
    this.#log = log;
    this.#stopped = stopped;
    this.state = new ChatState(api, id, stopped);
  }

  /** The chat as it is now, with up to five latest messages. */
  async get(): Promise<ChatWithMessages> {
    const { body } = await this.#api.call<ChatWithMessages>('GET', this.path(''), { signal: this.#stopped });
    receiveFiles(body.messages, { api: this.#api, stopped: this.#stopped });
    return body;
  }

  /**
   * Sends a message: a text, or `{ text?, files? }` with up to 10 files, which are uploaded first. A chat that has ended is opened again.
   * With files and a key that was used already, the first message stands, and the `id` of the answer is empty.
   */
  async send(message: string | OutgoingMessage, more: MessageOptions & OnceOptions = {}): Promise<SentMessage> {
    const { idempotencyKey: key, text: content, files, ...rest } = toOutgoing(message, more, ONCE);
    const body = { chatId: this.id, content, ...rest };
    if (!files?.length) return this.post('/messages', body, key);
    const ids = await sendFiles(this.#api, this.id, files, { signal: this.#stopped });
    return this.post<SentMessage>('/messages', { ...body, files: ids }, key).catch((error: unknown) => {
      if (!(error instanceof ParleyError) || error.code !== 'idempotency_key_reused') throw error;
      return { id: '', status: 'sent' };
    });
  }

  /** Hands the chat to people; null when no agent is free (only with `ifUnavailable: 'FAIL'`). */
  async handOver(given: HandOverOptions & OnceOptions = {}): Promise<HandOver | null> {
    checkOptions(given, { ...HAND_OVER, ...ONCE });
    const { idempotencyKey, tags = [], ...options } = given;
    const warn = (line: string) => this.#log(line, { level: 'warn', chatId: this.id });
    if (tags.length > 0) await this.addTags(...tags).catch((error: unknown) => warnOfTags(error, warn));
    const body = { chatId: this.id, ...fit(options, warn) };
    return this.post<HandOver>('/transfer', body, idempotencyKey).catch((error: unknown) => {
      if (error instanceof ParleyError && error.code === 'nobody_available') return null;
      throw error;
    });
  }

  /** The latest messages, oldest first; 20 when omitted. */
  async history(limit = 20): Promise<Message[]> {
    if (!(limit >= 1)) throw new TypeError(`limit must be a number from 1, not ${limit}`);
    const { messageCount } = await this.get();
    const afterSeq = Math.max(0, messageCount - Math.trunc(limit));
    return messagesAfter({ api: this.#api, stopped: this.#stopped }, this.id, afterSeq, messageCount);
  }

  /** Gives the chat a title of 1 to 80 characters, which the visitor and agents see. Null removes it. */
  async setTitle(title: string | null): Promise<void> {
    await this.#api.call('PATCH', this.path(''), { body: { title }, signal: this.#stopped });
  }

  /**
   * Sets attributes of the chat, by key; null removes a key. Resolves to all that it has. Agents see them, and the visitor doesn't.
   * Up to 50 keys, with texts of up to 500 characters, numbers, or booleans.
   */
  async setAttributes(attributes: ChangedAttributes): Promise<Attributes> {
    const options = { body: { attributes }, signal: this.#stopped };
    return (await this.#api.call<{ attributes: Attributes }>('PATCH', this.path(''), options)).body.attributes;
  }

  /** Replaces the tags of the chat, which agents see and the visitor doesn't. Up to 20, each of 1 to 50 characters. Resolves to the tags. */
  async setTags(tags: readonly string[]): Promise<string[]> {
    const { body } = await this.#api.call<Tags>('PUT', this.path('/tags'), { body: { tags }, signal: this.#stopped });
    return body.tags;
  }

  /** Adds tags, and resolves to all that the chat has. More than 20 reject with a ParleyError whose `code` is `conflict`. */
  addTags(...tags: string[]): Promise<string[]> {
    return this.changeTags({ add: tags });
  }

  /** Removes tags, and resolves to the remaining ones. */
  removeTags(...tags: string[]): Promise<string[]> {
    return this.changeTags({ remove: tags });
  }

  /** Ends the chat. One that has ended stays as it is. */
  async close(options: ChangeOptions = {}): Promise<void> {
    checkOptions(options, CHANGE);
    await this.post(this.path('/close'), options);
  }

  private async changeTags(change: { add?: string[]; remove?: string[] }): Promise<string[]> {
    return (await this.post<Tags>(this.path('/tags'), change)).tags;
  }

  /** Retried after a lost connection, so it always has a key. */
  private async post<T>(path: string, body: object, key: string = crypto.randomUUID()): Promise<T> {
    return (await this.#api.call<T>('POST', path, { body, key, signal: this.#stopped })).body;
  }

  private path(rest: string): string {
    return `/chats/${encodeURIComponent(this.id)}${rest}`;
  }
}

// A tag beyond the limit must not prevent the hand-over.
function warnOfTags(error: unknown, warn: (line: string) => void): void {
  if (!(error instanceof ParleyError)) throw error;
  warn(`handOver(): the tags were not added: ${error.message}`);
}
