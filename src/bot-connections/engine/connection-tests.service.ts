import { Injectable } from '@nestjs/common';
import { type Limit, RateLimits } from '../../auth/limits/rate-limit.js';
import { type FieldError, Problem, validationFailed } from '../../platform/errors/problem.js';
import { OutboundAgent } from '../../platform/outbound/outbound-agent.js';
import type { NewConnection } from '../connections/connection-change.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { DRIVERS } from '../drivers/drivers.js';
import { isEndpoint } from '../model/connection.js';
import type { OpenConnection, Reply } from '../model/conversation.js';
import { type FailureCode, RunFailure, type Usage } from '../model/turn.js';
import { scriptedReply } from '../scripts/scripted-reply.js';
import { Exchange } from '../wire/exchange.js';
import { ConversationLoader } from './conversation-loader.js';
import { maskedDetail } from './masked-detail.js';

/** Limits of a test in milliseconds. */
const LIMITS = { firstByte: 60_000, silence: 60_000, run: 60_000 };
const TESTS_PER_MINUTE = 10;
/** Between two texts, in milliseconds. */
const TEXT_EVERY_MS = 50;

/** The message that a test sends, and the connection that it tries. */
export interface TestOptions {
  message: string;
  /** Null: the stored connection. */
  connection: NewConnection | null;
}

/** What became of a test. */
export interface TestResult {
  ok: boolean;
  /** What the endpoint said, or the part before an error. */
  text: string;
  /** How many of each event were shown. */
  events: Record<string, number>;
  firstTokenMs: number | null;
  durationMs: number;
  usage: Usage | null;
  protocolVersion: string | null;
  warnings: string[];
  error: { code: FailureCode; detail: string } | null;
}

/** Gets what the endpoint says as it arrives. */
export type TestListener = (type: 'text' | 'status' | 'tool' | 'warning', data: Record<string, unknown>) => void;

/** A test that's about to run, and the address that it asks. */
export interface PreparedTest {
  url: string;
  run: (listener: TestListener, signal: AbortSignal) => Promise<TestResult>;
}

/** Tries connections in chats that don't exist (CONTRACT: Connections). */
@Injectable()
export class ConnectionTests {
  private readonly limit: Limit;
  /** The bots whose connections this node tests. */
  private readonly running = new Set<string>();

  constructor(
    private readonly connections: ConnectionsService,
    private readonly loader: ConversationLoader,
    private readonly agent: OutboundAgent,
    limits: RateLimits,
  ) {
    this.limit = limits.make('connection_tests', TESTS_PER_MINUTE, 60);
  }

  /**
   * Prepares a run that executes no tools. Call its `run` once: until that has ended, other tests of the bot are a conflict.
   * @throws Problem not_found; validation_failed; conflict if the bot's connection is being tested; rate_limited
   */
  async prepare(
    organizationId: string,
    botId: string,
    { message, connection: given }: TestOptions,
  ): Promise<PreparedTest> {
    const connection = await this.connections.draft(organizationId, botId, given).catch(placeInBody);
    const key = `${organizationId} ${botId}`;
    if (this.running.has(key)) throw new Problem('conflict', "A test of this bot's connection is running");
    this.running.add(key);
    try {
      await this.limit.spend(organizationId);
    } catch (error) {
      this.running.delete(key);
      throw error;
    }
    const run: PreparedTest['run'] = (listener, signal) =>
      this.run(connection, message, listener, signal).finally(() => this.running.delete(key));
    return { url: connection.url, run };
  }

  private async run(
    connection: OpenConnection,
    message: string,
    listener: TestListener,
    signal: AbortSignal,
  ): Promise<TestResult> {
    const shown = new Shown(listener);
    try {
      const reply = await this.ask(connection, message, shown, signal);
      return shown.end(reply);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      return shown.end(null, { code: error.code, detail: maskedDetail(error.message, connection) });
    }
  }

  private async ask(connection: OpenConnection, message: string, shown: Shown, signal: AbortSignal): Promise<Reply> {
    const { kind } = connection;
    const conversation = await this.loader.pretend(connection, message);
    if (!isEndpoint(kind)) return shown.whole(scriptedReply(connection, conversation));
    const driver = DRIVERS[kind];
    const reader = driver.read(connection, conversation, shown);
    const exchange = new Exchange(driver.request(connection, conversation), reader, LIMITS);
    const abort = () => exchange.abort(new RunFailure('truncated', 'the test was stopped'));
    signal.addEventListener('abort', abort);
    try {
      const sent = exchange.send(this.agent);
      if (signal.aborted) abort();
      await sent;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    shown.protocolVersion = reader.protocolVersion ?? null;
    const reply = reader.end();
    const { messages, calls, interrupts = [], handOver, isCancelled, lateError } = reply;
    if (lateError) throw lateError;
    if (messages.length + calls.length + interrupts.length === 0 && !handOver && !isCancelled)
      throw new RunFailure('empty', 'the answer has no text');
    return reply;
  }
}

/** The fields of a connection are below `/connection`. @throws Problem */
function placeInBody(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
  const faults = (error.errors ?? []) as FieldError[];
  throw validationFailed(faults.map(({ pointer, detail }) => ({ pointer: `/connection${pointer}`, detail })));
}

/** What a test shows, piece by piece. */
class Shown {
  private readonly startedAt = performance.now();
  private readonly events: Record<string, number> = {};
  protocolVersion: string | null = null;
  private firstTokenMs: number | null = null;
  private text = '';
  private read: (() => string) | null = null;
  private timer?: NodeJS.Timeout;

  constructor(private readonly listener: TestListener) {}

  onText(read: () => string): void {
    this.firstTokenMs ??= this.elapsed;
    this.read = read;
    this.timer ??= setTimeout(() => this.showText(), TEXT_EVERY_MS);
  }

  onStatus(status: string): void {
    this.show('status', { status });
  }

  end(reply: Reply | null, error: TestResult['error'] = null): TestResult {
    this.showText();
    for (const { name, arguments: given } of reply?.calls ?? []) this.show('tool', { name, arguments: given });
    for (const warning of reply?.warnings ?? []) this.show('warning', { warning });
    return {
      ok: error === null,
      text: reply ? reply.messages.join('\n\n') : this.text,
      events: this.events,
      firstTokenMs: this.firstTokenMs,
      durationMs: this.elapsed,
      usage: reply?.usage ?? null,
      protocolVersion: this.protocolVersion,
      warnings: reply?.warnings ?? [],
      error,
    };
  }

  /** Shows what a script answers, and its choices as a call of the tool. */
  whole(reply: Reply): Reply {
    const { offer, messages } = reply;
    const texts = offer ? [...messages, offer.text] : messages;
    this.onText(() => texts.join('\n\n'));
    if (offer) this.show('tool', { name: 'offer_choices', arguments: JSON.stringify(offer) });
    return { ...reply, messages: texts };
  }

  private get elapsed(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  // An event has what was added. If the endpoint replaced its text or began another message, it has the whole one.
  private showText(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.read?.() ?? '';
    if (text === this.text) return;
    if (text.startsWith(this.text)) this.show('text', { text: text.slice(this.text.length) });
    else this.show('text', { text, isWhole: true });
    this.text = text;
  }

  private show(type: Parameters<TestListener>[0], data: Record<string, unknown>): void {
    this.events[type] = (this.events[type] ?? 0) + 1;
    this.listener(type, data);
  }
}
