import { Injectable } from '@nestjs/common';
import { type Counter, type Family, type Histogram, Metrics } from '../platform/telemetry/metrics.js';

/** The most bots with figures of their own, and the most names of errors of each. The others share `other`. */
const MAX_BOTS = 100;
const MAX_CAUSES = 10;
const OTHER = 'other';
/** The names of errors that are counted as they are. */
const PLAIN_NAME = /^[A-Za-z_]\w{0,63}$/;
/** The most tokens whose bot is known. */
const MAX_TOKENS = 1_000;
/** Histogram buckets up to five minutes, in seconds. */
const ANSWER_BUCKETS_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300];

const TURN_OUTCOMES = ['answered', 'handed_over', 'failed'] as const;

/**
 * The metrics of single bots, for their operator. Their number is bounded: the first 100 bots since the process started have their own
 * label, and of each the first 10 names of errors.
 */
@Injectable()
export class BotMetrics {
  private readonly turns: Family<Counter>;
  private readonly failures: Family<Counter>;
  private readonly answers: Family<Histogram>;
  private readonly limited: Family<Counter>;
  private readonly bots = new Set<string>();
  private readonly causes = new Map<string, Set<string>>();
  private readonly botOfToken = new Map<string, string>();

  constructor(metrics: Metrics) {
    this.turns = metrics.counters('parley_bot_turns_total');
    this.failures = metrics.counters('parley_bot_failures_total');
    this.answers = metrics.histograms('parley_bot_answer_duration_seconds', ANSWER_BUCKETS_SECONDS);
    this.limited = metrics.counters('parley_bot_rate_limited_total');
    for (const outcome of TURN_OUTCOMES) this.turns(OTHER, outcome);
    this.failures(OTHER, OTHER);
    this.answers(OTHER);
    this.limited(OTHER);
  }

  /** Call this when a bot's message answers a visitor's. @param seconds since the visitor's message */
  onAnswered(botId: string | null, seconds: number): void {
    const bot = this.labelOf(botId);
    this.turns(bot, 'answered').add();
    this.answers(bot).observe(Math.max(0, seconds));
  }

  /** Call this when a bot has transferred a chat. @param cause the name of the error, if that's the reason */
  onHandedOver(botId: string | null, cause?: string): void {
    const bot = this.labelOf(botId);
    this.turns(bot, cause === undefined ? 'handed_over' : 'failed').add();
    if (cause !== undefined) this.failures(bot, this.causeOf(bot, cause)).add();
  }

  /** Remembers whose token it is, because a limit refuses requests before their token is looked up. */
  onToken(key: string, botId: string): void {
    if (this.botOfToken.get(key) === botId) return;
    if (this.botOfToken.size >= MAX_TOKENS) this.botOfToken.delete(this.botOfToken.keys().next().value!);
    this.botOfToken.set(key, botId);
  }

  /** Call this when the rate limit has refused a request with this token. A token that was never valid isn't counted. */
  onLimited(key: string): void {
    const botId = this.botOfToken.get(key);
    if (botId !== undefined) this.limited(this.labelOf(botId)).add();
  }

  private labelOf(botId: string | null): string {
    if (botId === null) return OTHER;
    if (this.bots.has(botId)) return botId;
    if (this.bots.size >= MAX_BOTS) return OTHER;
    this.bots.add(botId);
    return botId;
  }

  private causeOf(bot: string, name: string): string {
    const known = this.causes.get(bot) ?? new Set();
    if (known.has(name)) return name;
    if (known.size >= MAX_CAUSES || !PLAIN_NAME.test(name)) return OTHER;
    this.causes.set(bot, known.add(name));
    return name;
  }
}
