import type { EventTools } from './turns/tools.js';
import { MAX_TIMER_MS } from './lib/timer.js';
import type { Gap } from './wire.js';

/** The context of a log line. */
export interface LogContext {
  level: 'info' | 'warn' | 'error';
  eventId?: string;
  chatId?: string;
  /** The thrown value. */
  error?: unknown;
}

export type Log = (line: string, context: LogContext) => void;

/** How a chat is handed over when a turn fails. */
export interface Failure {
  /** A message to the visitor before the hand-over. Default: none. */
  sentence?: string;
  /** The reason, up to 500 characters. The visitor sees it too. Default: "The bot cannot go on". */
  reason?: string;
  /** Default: the default group. */
  targetGroupId?: string;
  /** A summary for agents, up to 2,000 characters. The visitor never sees it. */
  summary?: string;
}

/** What happens after an error: the handler runs again, the event is ignored, or (undefined) the chat is handed over. */
export type Verdict = 'retry' | 'ignore' | undefined | void;
export type OnError = (error: unknown, turn: EventTools) => Verdict | Promise<Verdict>;

export interface BotOptions {
  /** Parley's address, such as `https://chat.example.com`. */
  url: string;
  /** The bot's access token. */
  token: string;
  /** How many chats are handled concurrently. A chat's events are always handled one after the other. Default: 16. */
  concurrency?: number;
  /**
   * What happens if the visitor writes while a turn runs. `'queue'` (default): one turn after the other, each for one message.
   * `'interrupt'`: `signal` aborts, and the next turn has both messages. A turn that has sent something finishes first.
   * `'collect'`: a turn starts after a pause of `collectFor` ms, and has all messages since the last turn.
   */
  onNewMessage?: 'queue' | 'interrupt' | 'collect';
  /** The pause in milliseconds that `collect` waits for after each message. It waits five times as long at most. Default: 800. */
  collectFor?: number;
  /**
   * Whether several copies of the bot run together and share its events: a chat's events are handled one after the other, by any
   * copy. Default: false, and a second copy ends the first.
   */
  share?: boolean;
  /** The longest duration of a handler in milliseconds, without its requests to Parley. Infinity: no deadline. Default: 60,000. */
  deadline?: number;
  /** A message that the bot sends when the deadline passes. If omitted, the deadline is an error like any other: see `onError`. */
  deadlineSentence?: string;
  /**
   * What happens after an error in a handler. `'handOver'` (default): the chat is handed over, according to `failure`. `'retry'`: the
   * handler runs again first. A function can decide by the error and `turn.attempt`. If it returns nothing, the chat is handed over.
   */
  onError?: 'handOver' | 'retry' | OnError;
  /** How often a handler runs with `onError: 'retry'` before the chat is handed over. Default: 3. */
  attempts?: number;
  /** How a chat is handed over after an error. */
  failure?: Failure;
  /** Whether an error stores the text that `say` has shown so far as a message that ends with "…". Default: false, it disappears. */
  keepPartialText?: boolean;
  /** How many messages the bot may send without a visitor's message in between. Then the chat is handed over. Default: 10. */
  maxUnanswered?: number;
  /** Milliseconds until a running handler shows the typing indicator. Infinity: never. Default: 500. */
  typingAfter?: number;
  /** Milliseconds that `stop()` waits for running handlers. Default: 10,000. */
  grace?: number;
  /** Whether SIGTERM and SIGINT stop `run()`. Default: true. */
  signals?: boolean;
  /** Called if events were dropped before the bot polled: once for each gap, and again if it grows. Default: logs it. */
  onGap?: (gap: Gap) => unknown;
  /** Receives log lines with their context. Default: writes to standard error. */
  log?: (line: string, context: LogContext) => void;
}

export type Settings = Required<Omit<BotOptions, 'deadlineSentence' | 'onError' | 'attempts'>> &
  Pick<BotOptions, 'deadlineSentence'> & { onError: OnError };

const MODES: readonly string[] = ['queue', 'interrupt', 'collect'];

/** @throws TypeError that names the option */
export function toSettings({ onError = 'handOver', attempts = 3, ...options }: BotOptions): Settings {
  // oxlint-disable-next-line no-console -- the one way to standard error that every runtime has
  const log: Log = options.log ?? ((line) => console.error(line));
  const settings: Settings = {
    concurrency: 16,
    share: false,
    onNewMessage: 'queue',
    collectFor: 800,
    deadline: 60_000,
    failure: {},
    keepPartialText: false,
    maxUnanswered: 10,
    typingAfter: 500,
    grace: 10_000,
    signals: true,
    onGap: ({ since, droppedEvents }) =>
      log(`${droppedEvents ?? 'some'} events since ${since} were dropped`, { level: 'warn' }),
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    log,
    onError: toFunction(onError, attempts),
  } as Settings;
  for (const name of ['url', 'token'] as const) {
    if (typeof settings[name] !== 'string' || settings[name] === '') throw new TypeError(`${name} is missing`);
  }
  checkAddress(settings);
  if (!(settings.typingAfter >= 0)) throw new TypeError('typingAfter must be at least 0');
  if (!(settings.grace >= 0 && settings.grace <= MAX_TIMER_MS)) {
    throw new TypeError(`grace must be from 0 to ${MAX_TIMER_MS}`);
  }
  if (!MODES.includes(settings.onNewMessage)) throw new TypeError(`onNewMessage must be ${MODES.join(', ')}`);
  if (!(settings.collectFor >= 0 && settings.collectFor <= 60_000)) {
    throw new TypeError('collectFor must be from 0 to 60000');
  }
  const numbers = { ...settings, attempts };
  for (const name of ['concurrency', 'deadline', 'attempts', 'maxUnanswered'] as const) {
    if (!(numbers[name] >= 1)) throw new TypeError(`${name} must be at least 1`);
  }
  return settings;
}

function toFunction(onError: BotOptions['onError'], attempts: number): OnError {
  if (typeof onError === 'function') return onError;
  if (onError === 'handOver') return () => undefined;
  if (onError === 'retry') return (_, { attempt }) => (attempt < attempts ? 'retry' : undefined);
  throw new TypeError("onError must be 'handOver', 'retry', or a function");
}

/** @throws TypeError for a value that no request can carry: fetch would always fail, with an error that contains the token */
function checkAddress({ url, token }: Settings): void {
  const { protocol, username, password, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '' };
  if (!/^https?:$/.test(protocol) || username || password) {
    throw new TypeError('url must be an http or https address without a user name');
  }
  if (/\/api\/bot\/?$/.test(pathname))
    throw new TypeError('url must be the address of Parley itself, without /api/bot');
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token has a character that no token has, such as a line break');
}
