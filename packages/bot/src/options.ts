import type { EventTools } from './turns/tools.js';
import { aFlag, aFunction, aNumber, aText, anything, type Checks, checkOptions, oneOf, options } from './lib/check.js';
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
  /** The reason, up to 500 characters. The visitor sees it too. Default: `bot_failed`, which the widget and the console show in the language of the reader. */
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
  /** Parley's address, such as `https://chat.example.com`. It and the token are checked when the bot runs, not when it's created. */
  url: string | undefined;
  /** The bot's access token. */
  token: string | undefined;
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

export type Settings = Required<Omit<BotOptions, 'url' | 'token' | 'deadlineSentence' | 'onError' | 'attempts'>> &
  Pick<BotOptions, 'deadlineSentence'> & { onError: OnError };

const FAILURE: Checks<Failure> = { sentence: aText, reason: aText, targetGroupId: aText, summary: aText };

// The address and the token are checked when they're needed, so that a test or a build without them can load the bot.
const CHECKS: Checks<BotOptions> = {
  url: anything,
  token: anything,
  concurrency: aNumber(1),
  onNewMessage: oneOf('queue', 'interrupt', 'collect'),
  collectFor: aNumber(0, 60_000),
  share: aFlag,
  deadline: aNumber(1),
  deadlineSentence: aText,
  onError: (value) =>
    typeof value === 'function' || value === 'handOver' || value === 'retry'
      ? null
      : "must be 'handOver', 'retry', or a function",
  attempts: aNumber(1),
  failure: options(FAILURE),
  keepPartialText: aFlag,
  maxUnanswered: aNumber(1),
  typingAfter: aNumber(0),
  grace: aNumber(0, MAX_TIMER_MS),
  signals: aFlag,
  onGap: aFunction,
  log: aFunction,
};

/** @throws TypeError that names an unknown option, or one with a wrong value */
export function toSettings(given: BotOptions): Settings {
  checkOptions(given, CHECKS);
  const { onError = 'handOver', attempts = 3, url: _url, token: _token, ...others } = withoutOmitted(given);
  // oxlint-disable-next-line no-console -- the one way to standard error that every runtime has
  const log: Log = others.log ?? ((line) => console.error(line));
  return {
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
    ...others,
    log,
    onError: toFunction(onError, attempts),
  };
}

function withoutOmitted(given: BotOptions): Partial<BotOptions> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
}

function toFunction(onError: NonNullable<BotOptions['onError']>, attempts: number): OnError {
  if (typeof onError === 'function') return onError;
  if (onError === 'handOver') return () => undefined;
  return (_, { attempt }) => (attempt < attempts ? 'retry' : undefined);
}
