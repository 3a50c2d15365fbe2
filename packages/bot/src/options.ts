import { LONGEST_TIMER } from './timer.js';
import type { Gap } from './wire.js';

export interface BotOptions {
  /** Where Parley is: `https://chat.example.com`. */
  url: string;
  /** An access token of the bot. */
  token: string;
  /** How many chats are worked on at once; 16 when omitted. A chat's events are always handled one after the other. */
  concurrency?: number;
  /** Milliseconds that a handler may take, not counting requests to Parley; 60,000 when omitted, Infinity for no deadline. */
  deadline?: number;
  /** What the bot says when the deadline passes. Omitted: it is an error like any other, see `onError`. */
  deadlineSentence?: string;
  /** What an error of a handler leads to: the chat goes to people (default), or the handler runs again first. */
  onError?: 'handOver' | 'retry';
  /** How often a handler runs with `onError: 'retry'` before the chat goes to people; 3 when omitted. */
  attempts?: number;
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
  /** Where lines of the log go; standard error when omitted. */
  log?: (line: string) => void;
}

export type Settings = Required<Omit<BotOptions, 'deadlineSentence'>> & Pick<BotOptions, 'deadlineSentence'>;

/** @throws TypeError that names the option */
export function toSettings(options: BotOptions): Settings {
  const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const settings: Settings = {
    concurrency: 16,
    deadline: 60_000,
    onError: 'handOver',
    attempts: 3,
    maxUnanswered: 10,
    typingAfter: 500,
    grace: 10_000,
    signals: true,
    log,
    onGap: ({ since, droppedEvents }) => log(`${droppedEvents ?? 'some'} events since ${since} were dropped`),
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  } as Settings;
  for (const name of ['url', 'token'] as const) {
    if (typeof settings[name] !== 'string' || settings[name] === '') throw new TypeError(`${name} is missing`);
  }
  checkAddress(settings);
  if (!(settings.typingAfter >= 0)) throw new TypeError('typingAfter must be at least 0');
  if (!(settings.grace >= 0 && settings.grace <= LONGEST_TIMER)) {
    throw new TypeError(`grace must be from 0 to ${LONGEST_TIMER}`);
  }
  for (const name of ['concurrency', 'deadline', 'attempts', 'maxUnanswered'] as const) {
    if (!(settings[name] >= 1)) throw new TypeError(`${name} must be at least 1`);
  }
  return settings;
}

/** @throws TypeError for what no request can carry: fetch would fail each time, with an error that contains it */
function checkAddress({ url, token }: Settings): void {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  if (!/^https?:$/.test(protocol) || username || password) {
    throw new TypeError('url must be an http or https address without a user name');
  }
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token has a character that no token has, such as a line break');
}
