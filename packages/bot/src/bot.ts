import { anything, aText, anObject, type Checks, checkOptions, oneOf, texts } from './lib/check.js';
import { makeController } from './lib/signals.js';
import { withoutStack } from './lib/stack.js';
import { BotChat } from './bot-chat.js';
import { Api, type Fetch } from './transport/api.js';
import { type FetchContext, fetchHandler } from './transport/fetch-handler.js';
import { Dispatcher, type Handler, senderOf } from './turns/dispatcher.js';
import { ParleyError } from './errors.js';
import { receiveFiles } from './files/received-file.js';
import { type BotOptions, type Settings, toSettings } from './options.js';
import { Poller } from './transport/poller.js';
import { type AttributeFilters, queryOf, type SearchOptions, searchPages } from './search.js';
import { Receiver, type WebhookOptions } from './transport/receiver.js';
import type { Tools } from './turns/tools.js';
import { type NodeRequest, type NodeResponse, webhookListener } from './transport/webhook.js';
import type {
  Attributes,
  ChangedAttributes,
  Chat,
  ChatStatus,
  ChatWithMessages,
  EventData,
  EventType,
  Group,
  KnownVisitor,
  Me,
  Message,
  Owner,
  ParleyEvent,
  SearchResult,
  VisitorEvent,
} from './wire.js';

/** Which chats `chats` lists; all when omitted. */
export interface ChatFilter extends AttributeFilters {
  owner?: Owner;
  status?: ChatStatus;
  visitorId?: string;
  /** The chat has this tag, or all of these. */
  tag?: string | readonly string[];
}

/** The argument of a `message` handler: a visitor's message, in a chat that a bot is handling. */
export interface MessageTurn extends Tools {
  /** The last of `messages`. */
  message: Message;
  /** The visitor's messages that this turn answers, oldest first. Just one, unless you set `onNewMessage`. */
  messages: Message[];
  event: ParleyEvent<'message.created'>;
}

/** The argument of another event's handler. */
export interface EventTurn<Type extends EventType> extends Tools {
  event: ParleyEvent<Type>;
  data: EventData[Type];
}

/** The argument of the handler of `visitor.updated`. It has no chat, so nothing can be answered. */
export interface VisitorTurn {
  event: VisitorEvent;
  /** The visitor, and which attributes have changed: by key, the new value, or null for a removed one. */
  data: VisitorEvent['data'];
  /** Aborts when the deadline has passed, or the bot stops. */
  signal: AbortSignal;
}

/** The turn for each name that `on` accepts. */
export type Turns = { message: MessageTurn; 'visitor.updated': VisitorTurn } & {
  [Type in Exclude<EventType, 'message.created'>]: EventTurn<Type>;
};

const NAMES: Record<keyof Turns, true> = {
  message: true,
  'chat.created': true,
  'chat.transferred': true,
  'chat.assigned': true,
  'chat.unassigned': true,
  'chat.returned': true,
  'chat.unanswered': true,
  'chat.reopened': true,
  'chat.closed': true,
  'chat.rated': true,
  'chat.tagged': true,
  'chat.updated': true,
  'visitor.updated': true,
  'message.rated': true,
  'handoff.requested': true,
};

/** The events that end the bots' ownership of a chat. */
const OWNER_EVENTS: readonly EventType[] = ['chat.transferred', 'chat.assigned', 'chat.closed'];

const WEBHOOK: Checks<WebhookOptions> = { secret: anything, answer: oneOf('afterHandler', 'atOnce') };
const OPENED: Checks<OpenedChat> = { visitorId: aText, externalId: aText, groupId: aText, metadata: anObject };
const FILTER: Checks<ChatFilter> = {
  owner: oneOf('BOT', 'QUEUE', 'AGENT', 'NOBODY'),
  status: oneOf('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED'),
  visitorId: aText,
  tag: texts,
  'attr.': texts,
  'verified.': texts,
};

interface OpenedChat {
  visitorId: string;
  externalId: string;
  groupId: string;
  metadata: object;
}

/** A bot, which receives its events by polling or over a webhook. */
export class Bot {
  private readonly settings: Settings;
  private readonly api: Api;
  private readonly handlers = new Map<string, (turn: never) => unknown>();
  private readonly dispatcher: Dispatcher;
  /** Ends the wait for events. */
  private readonly stopping = makeController();
  private readonly stopped = makeController();
  private ended?: Promise<void>;
  private isRunning = false;
  private own?: Promise<Me>;

  constructor(options: BotOptions) {
    this.settings = toSettings(options);
    this.api = new Api(options.url, options.token, this.settings.log);
    const context = { api: this.api, settings: this.settings, stopped: this.stopped.signal };
    this.dispatcher = new Dispatcher(context, (event) => this.find(event));
  }

  /**
   * Sets the handler of an event. `message` means a visitor's message while the bots have the chat.
   * @throws TypeError for an unknown event, or one that already has a handler
   */
  on<Name extends keyof Turns>(name: Name, handler: (turn: Turns[Name]) => unknown): this {
    if (!Object.hasOwn(NAMES, name)) throw new TypeError(`There is no event ${String(name)}: ${hintFor(name)}`);
    if (this.handlers.has(name)) throw new TypeError(`${name} has a handler already`);
    this.handlers.set(name, handler);
    return this;
  }

  /**
   * Polls for events until the bot is stopped, by `stop()` or a signal.
   * @throws TypeError if `url` or `token` is missing or wrong; ParleyError if the token is invalid; SupersededError if another process
   *   polls for this bot: don't call `run()` again
   */
  async run(): Promise<void> {
    if (this.isRunning) throw new Error('The bot is already running');
    const { origin } = this.api;
    this.isRunning = true;
    const end = () => void this.stop();
    const names = this.settings.signals ? (['SIGTERM', 'SIGINT'] as const) : [];
    for (const name of names) globalThis.process?.once(name, end);
    const poller = new Poller(this.api, this.dispatcher, this.settings, this.stopping.signal);
    try {
      await this.subscribe();
      await this.announce(origin);
      await poller.run();
      await this.finish();
      await poller.acknowledgeLast(AbortSignal.timeout(this.settings.grace));
    } catch (error) {
      throw error instanceof ParleyError ? withoutStack(error) : error;
    } finally {
      await this.finish();
      for (const name of names) globalThis.process?.off(name, end);
    }
  }

  /** A listener for `node:http` or a handler for Express that receives webhook events. @throws TypeError without a secret */
  webhook(options: WebhookOptions): (request: NodeRequest, response: NodeResponse) => void {
    return webhookListener(this.receiver(options));
  }

  /**
   * A fetch handler that receives webhook events: for Cloudflare Workers, Deno, Bun, and Node frameworks.
   * @throws TypeError without a secret
   */
  fetch(options: WebhookOptions): (request: Request, context?: FetchContext) => Promise<Response> {
    return fetchHandler(this.receiver(options));
  }

  /** A chat outside of a handler. Sends no request until you call one of its methods. */
  chat(id: string): BotChat {
    return new BotChat(this.api, id, (line, about) => this.settings.log(line, about), this.stopped.signal);
  }

  /** The open chat of a visitor, or a new one. @throws ParleyError `not_found` for an unknown visitor */
  async openChat(visitor: KnownVisitor & { groupId?: string; metadata?: Record<string, unknown> }): Promise<BotChat> {
    checkOptions(visitor, OPENED);
    const { chat } = await this.ask<{ chat: ChatWithMessages }>('POST', '/chats', visitor);
    return this.chat(chat.id);
  }

  /**
   * Sets attributes of a visitor, by key; null removes a key. Resolves to all that the visitor has. Agents see them, and the visitor doesn't.
   * Up to 50 keys, with texts of up to 500 characters, numbers, or booleans.
   */
  async setVisitorAttributes(visitorId: string, attributes: ChangedAttributes): Promise<Attributes> {
    const path = `/visitors/${encodeURIComponent(visitorId)}`;
    return (await this.ask<{ attributes: Attributes }>('PATCH', path, { attributes })).attributes;
  }

  /** Chats, newest first, page by page: `for await (const chat of bot.chats({ owner: 'BOT' }))`. */
  async *chats(filter: ChatFilter = {}): AsyncGenerator<ChatWithMessages, void> {
    checkOptions(filter, FILTER);
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/chats?${queryOf({ ...filter, ...(cursor && { cursor }) })}`;
      const page: { chats: ChatWithMessages[]; nextCursor: string | null } = await this.ask('GET', path);
      for (const { messages } of page.chats) receiveFiles(messages, { api: this.api, stopped: this.stopped.signal });
      yield* page.chats;
      cursor = page.nextCursor;
    }
  }

  /**
   * Chats by what was written in them, newest match first, page by page. Needs a token with the scope `search`, and then `visitorId`, or with
   * `search:all`: `for await (const { chat, message } of bot.search({ q: 'refund', visitorId }))`.
   * @throws ParleyError `forbidden` without the scope
   */
  search(options: SearchOptions): AsyncGenerator<SearchResult, void> {
    return searchPages(options, (path) => this.ask('GET', path));
  }

  /** The groups of agents, by name. */
  groups(): Promise<Group[]> {
    return this.ask('GET', '/groups');
  }

  /** The bot and its organization: checks `url` and `token` with one request. */
  me(): Promise<Me> {
    return this.ask('GET', '/me');
  }

  /** Replaces Parley by another service, for `parley-bot/test`. */
  connectTo({ fetch, errors }: { fetch: Fetch; errors: unknown[] }): void {
    this.api.connectTo(fetch);
    const { settings } = this;
    const { log } = settings;
    settings.log = (line, context) => {
      if (context.error !== undefined) errors.push(context.error);
      log(line, context);
    };
  }

  /** Handles one event, for `parley-bot/test`. */
  take(event: ParleyEvent): Promise<void> {
    return this.dispatcher.take(event);
  }

  /** Stops taking events, and waits up to `grace` for running handlers. Unfinished events are redelivered. */
  stop(): Promise<void> {
    this.stopping.abort(new Error('The bot is stopping'));
    return this.finish();
  }

  private receiver(options: WebhookOptions): Receiver {
    checkOptions(options, WEBHOOK);
    this.api.check();
    return new Receiver(this.dispatcher, this.settings.log, options, (event) => this.isOfOther(event));
  }

  /** Whether the chat's group names another bot. Parley leaves such chats out when a bot polls, but webhooks get all chats. */
  private async isOfOther({ data }: ParleyEvent<EventType>): Promise<boolean> {
    const { chat }: { chat?: Chat } = data;
    const botId = chat?.group.botId;
    if (!botId) return false;
    this.own ??= this.me().catch((error: unknown) => {
      this.own = undefined;
      throw error;
    });
    return botId !== (await this.own).id;
  }

  private async ask<T>(method: string, path: string, body?: object): Promise<T> {
    return (await this.api.call<T>(method, path, { body, signal: this.stopped.signal })).body;
  }

  private finish(): Promise<void> {
    return (this.ended ??= (async () => {
      const timer = setTimeout(() => this.stopped.abort(new Error('The bot has stopped')), this.settings.grace);
      await this.dispatcher.close();
      clearTimeout(timer);
    })());
  }

  /** Logs that the bot is connected, with its name. */
  private async announce(origin: string): Promise<void> {
    const { signal } = this.stopping;
    const answer = await this.api.call<Me>('GET', '/me', { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (answer) this.settings.log(`connected as ${answer.body.name} to ${origin}`, { level: 'info' });
  }

  /** Subscribes to the events that have a handler or end turns. */
  private async subscribe(): Promise<void> {
    const events = [...this.handlers.keys()].map((name) => (name === 'message' ? 'message.created' : name));
    if (events.length === 0) throw new TypeError('No event has a handler: call on() first');
    const body = { events: [...new Set([...events, ...OWNER_EVENTS])], senderTypes: ['VISITOR'] };
    const { signal } = this.stopping;
    await this.api.call('PUT', '/subscription', { body, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  private find(event: ParleyEvent<EventType>): Handler | undefined {
    if (event.type !== 'message.created') return this.toHandler(event.type);
    const { message, chat } = (event as ParleyEvent<'message.created'>).data;
    // Only visitors' messages, and only while the bots have the chat.
    const isForUs = senderOf(event) === 'VISITOR' && chat.owner === 'BOT' && message.deletedAt === undefined;
    return isForUs ? this.toHandler('message') : undefined;
  }

  private toHandler(name: string): Handler | undefined {
    const handler = this.handlers.get(name) as ((turn: object) => unknown) | undefined;
    if (!handler) return undefined;
    return (event, tools, several) => {
      const turn = { ...event.data, ...tools, event, data: event.data };
      if (!('message' in event.data)) return handler(turn);
      const messages = several.length > 0 ? several : [event.data.message];
      return handler({ ...turn, messages, message: messages.at(-1) });
    };
  }
}

function hintFor(name: string): string {
  return name === 'message.created' ? "use 'message'" : `there are ${Object.keys(NAMES).join(', ')}`;
}

/** Creates a bot. @throws TypeError that names an invalid option */
export function createBot(options: BotOptions): Bot {
  return new Bot(options);
}
