import { type RequestContext, socketContext } from '../../auth/context/request-context.js';
import type { ReplyReader } from '../drivers/driver.js';
import { storable } from '../drivers/split-text.js';
import type { OpenConnection } from '../model/conversation.js';
import { RunFailure, type Usage } from '../model/turn.js';
import type { Exchange } from '../wire/exchange.js';
import type { RunRecord } from './runs.queries.js';
import type { LockedTurn } from './take.queries.js';

/** Why a run is stopped before its end. */
export type StopReason = 'ABORTED' | 'STOPPED' | 'PAUSED' | 'SHUTDOWN';

/** A run of this node. */
export class Run {
  private readonly startedAt = performance.now();
  private firstTokenMs: number | null = null;
  private exchange: Exchange | null = null;
  private reader: ReplyReader | null = null;
  /** Why it's to end; null while it goes on. */
  stopped: StopReason | null = null;

  constructor(
    readonly turn: LockedTurn & { chatId: string },
    readonly id: string,
    readonly connection: OpenConnection,
    readonly context: RequestContext,
  ) {}

  get key() {
    const { organizationId, id: turnId, chatId } = this.turn;
    return { organizationId, turnId, runId: this.id, chatId };
  }

  onToken(): void {
    this.firstTokenMs ??= Math.round(performance.now() - this.startedAt);
  }

  /** Sets the request of the run. If the run was stopped, the request is closed immediately. */
  use(exchange: Exchange, reader: ReplyReader): void {
    this.exchange = exchange;
    this.reader = reader;
    if (this.stopped) this.close();
  }

  /** The messages that were complete when the run failed. */
  closedTexts(): string[] {
    return this.reader?.closedTexts?.() ?? [];
  }

  /** What the visitor could read when the run was stopped. */
  textsSoFar(): string[] {
    return this.reader?.textsSoFar().filter((text) => text.trim() !== '') ?? [];
  }

  /** The endpoint's own id of the conversation, once it's known. */
  get remoteId(): string | null {
    const id = this.reader?.remoteId ?? null;
    return id === null ? null : storable(id);
  }

  /** Ends the run, and closes its request. */
  stop(reason: StopReason): void {
    this.stopped ??= reason;
    this.close();
  }

  record(usage: Usage | null = null, warnings: string[] = []): RunRecord {
    return {
      httpStatus: this.exchange?.status ?? null,
      durationMs: Math.round(performance.now() - this.startedAt),
      firstTokenMs: this.firstTokenMs,
      bytes: this.exchange?.bytes ?? 0,
      protocolVersion: this.reader?.protocolVersion ?? null,
      usage,
      warnings,
    };
  }

  private close(): void {
    this.exchange?.abort(new RunFailure('truncated', 'the run was stopped'));
  }
}

/** The context of what the bot does in a turn. */
export function contextOfBot(
  { organizationId, traceparent }: Pick<LockedTurn, 'organizationId' | 'traceparent'>,
  bot: { id: string; name: string; isAi: boolean },
): RequestContext {
  return { ...socketContext(organizationId, { type: 'BOT', id: bot.id, name: bot.name }), traceparent, isAi: bot.isAi };
}

/** The sum of the tokens of two runs. */
export function sumOf(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Usage)[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
