import type { EventTools } from './turns/tools.js';
import { LONGEST_TIMER } from './lib/timer.js';
import type { Gap } from './wire.js';

/** What a line of the log is about. */
export interface LogContext {
  level: 'info' | 'warn' | 'error';
  eventId?: string;
  chatId?: string;
  /** What was thrown. */
  error?: unknown;
}

export type Log = (line: string, context: LogContext) => void;

/** How a chat goes to people when a turn fails. */
export interface Failure {
  /** What the bot says to the visitor before it hands the chat over. Omitted: nothing. */
  sentence?: string;
  /** Why, up to 500 characters; the visitor sees it too. Omitted: "The bot cannot go on". */
  reason?: string;
  /** Omitted: the default group. */
  targetGroupId?: string;
  /** What the agents should know, up to 2,000 characters; the visitor never sees it. */
  summary?: string;
}

/** What happens after an error: the handler runs again, the event is left as it is, or the chat goes to people. */
export type Verdict = 'retry' | 'ignore' | undefined | void;
export type OnError = (error: unknown, turn: EventTools) => Verdict | Promise<Verdict>;

export interface BotOptions {
  /** Where Parley is: `https://chat.example.com`. */
  url: string;
  /** An access token of the bot. */
  token: string;
  /** How many chats are worked on at once; 16 when omitted. A chat's events are always handled one after the other. */
  concurrency?: number;
  /**
   * What happens when the visitor writes while a turn runs. `'queue'` (default): one turn after the other, each for one message.
   * `'interrupt'`: `signal` aborts, and the next turn has both messages; a turn that has sent something is finished first.
   * `'collect'`: a turn begins when nothing has come for `collectFor` ms, and has all that came.
   */
  onNewMessage?: 'queue' | 'interrupt' | 'collect';
  /** Milliseconds that `collect` waits for more, each time anew, five times as long in all at most; 800 when omitted. */
  collectFor?: number;
  /** Milliseconds that a handler may take, not counting requests to Parley; 60,000 when omitted, Infinity for no deadline. */
  deadline?: number;
  /** What the bot says when the deadline passes. Omitted: it is an error like any other, see `onError`. */
  deadlineSentence?: string;
  /**
   * What an error of a handler leads to. `'handOver'` (default): the chat goes to people, as `failure` says. `'retry'`: the
   * handler runs again first. A function decides by the error and `turn.attempt`; without a result the chat goes to people.
   */
  onError?: 'handOver' | 'retry' | OnError;
  /** How often a handler runs with `onError: 'retry'` before the chat goes to people; 3 when omitted. */
  attempts?: number;
  /** How the chat goes to people after an error. */
  failure?: Failure;
  /** Whether an error leaves what `say` has shown so far as a message that ends with "…"; false when omitted: it vanishes. */
  keepPartialText?: boolean;
  /** After so many messages of the bot without one of the visitor the chat goes to people; 10 when omitted. */
  maxUnanswered?: number;
  /** Milliseconds after which a handler that still runs has the visitor see that the bot types; 500 when omitted, Infinity for never. */
  typingAfter?: number;
  /** Milliseconds that `stop()` gives to handlers that run; 10,000 when omitted. */
  grace?: number;
  /** Whether SIGTERM and SIGINT stop `run()`; true when omitted. */
  signals?: boolean;
  /** Events were dropped before the bot came for them; called once for each gap, and again when it grows. Omitted: it is logged. */
  onGap?: (gap: Gap) => unknown;
  /** Where lines of the log go, and what each is about; standard error when omitted. */
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
  if (!(settings.grace >= 0 && settings.grace <= LONGEST_TIMER)) {
    throw new TypeError(`grace must be from 0 to ${LONGEST_TIMER}`);
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

/** @throws TypeError for what no request can carry: fetch would fail each time, with an error that contains it */
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
