import { isJsonObject } from '../../../platform/lib/json.js';
import type { Conversation, Reply, ToolCall } from '../../model/conversation.js';
import { RunFailure, type Usage } from '../../model/turn.js';
import type { Interrupt } from '../../model/question.js';
import { SseParser } from '../../wire/sse.js';
import type { Progress, ReplyReader } from '../driver.js';
import { beforeMarker, readMarker } from '../spoken-text.js';
import { storable } from '../split-text.js';
import { endpointError, type Json, MAX_TOKENS, parseEvent, usageOf } from '../wire-json.js';
import { Chunks } from './chunks.js';
import { checkedEvent } from './fields.js';
import { broken, RunItems } from './items.js';
import { HANDLERS } from './handlers.js';
import { interruptsOf } from './outcome.js';
import { PROTOCOL_VERSION } from './request.js';
import { Scopes } from './scopes.js';
import { ThreadState } from './thread-state.js';

/** Where the stream is: in no run, in ours, in one that's replayed, or in one that's dropped. */
type Phase = 'NONE' | 'OURS' | 'REPLAYED' | 'DROPPED';

/** Reads the events of a run (CONTRACT: Bots by address). */
export class AguiReader implements ReplyReader {
  protocolVersion: string | null = null;
  private readonly parser = new SseParser((data) => this.onData(data));
  private readonly chunks = new Chunks();
  readonly items: RunItems;
  readonly thread: ThreadState;
  readonly scopes = new Scopes();
  private readonly warnings = new Set<string>();
  private phase: Phase = 'NONE';
  private hasBegun = false;
  private outcome: Json | null = null;
  private hasEnded = false;
  private lateError: RunFailure | null = null;
  /** What an endpoint from before AG-UI 1.0 asks. */
  legacyQuestion: Interrupt | null = null;
  private usage: Usage | null = null;

  constructor(
    private readonly hasMarker: boolean,
    private readonly conversation: Conversation,
    private readonly progress: Progress,
  ) {
    this.items = new RunItems(idsOf(conversation));
    this.thread = new ThreadState(conversation.state, idsOf(conversation), (warning) => this.warn(warning));
  }

  start(contentType: string): void {
    if (contentType !== '' && contentType !== 'text/event-stream')
      throw new RunFailure('content_type', `answered ${contentType.slice(0, 100)} instead of a stream of events`, 200);
  }

  push(chunk: Buffer): void {
    this.parser.push(chunk);
  }

  end(): Reply {
    this.parser.end();
    if (this.phase !== 'NONE') throw new RunFailure('truncated', 'the stream ended in the middle of the run');
    if (!this.hasEnded && this.hasBegun) throw broken('sent no run with our runId');
    if (!this.hasEnded) throw new RunFailure('truncated', 'the stream ended before its end');
    const { messages, handOver } = this.marked();
    const state = this.thread.changedState();
    if (this.lateError && messages.length === 0) throw this.lateError;
    return {
      messages,
      handOver,
      calls: handOver ? [] : this.pendingCalls(),
      raw: nonEmpty(this.items.kept()),
      usage: this.usage,
      warnings: [...this.warnings],
      state,
      snapshot: this.thread.change,
      isCancelled: this.outcome?.type === 'cancelled',
      interrupts: this.interrupts(),
      lateError: this.lateError,
    };
  }

  /** The texts that were closed before a failure. */
  closedTexts(): string[] {
    return this.items.spoken.flatMap(({ text, isClosed }) => (isClosed && text.trim() !== '' ? [text] : []));
  }

  textsSoFar(): string[] {
    return this.items.spoken.map(({ text }) => (this.hasMarker ? beforeMarker(text) : text));
  }

  private marked(): Pick<Reply, 'messages' | 'handOver'> {
    const texts = [...this.items.spoken.map(({ text }) => text), ...this.thread.answers];
    const messages: string[] = [];
    for (const text of texts) {
      const { text: shown, handOver } = this.hasMarker ? readMarker(text) : { text, handOver: null };
      if (shown.trim() !== '') messages.push(shown);
      if (handOver) return { messages, handOver };
    }
    return { messages, handOver: null };
  }

  private pendingCalls(): ToolCall[] {
    if (this.interrupts().length > 0 || this.outcome?.type === 'cancelled') return [];
    const open = [...this.items.calls.values()].filter(({ id }) => !this.items.answered.has(id));
    const { pendingToolCallIds } = this.outcome ?? {};
    const named = Array.isArray(pendingToolCallIds) && pendingToolCallIds.length > 0 ? pendingToolCallIds : null;
    return named ? open.filter(({ id }) => named.includes(id)) : open;
  }

  private interrupts(): Interrupt[] {
    if (this.outcome?.type === 'interrupt') return interruptsOf(this.outcome);
    return this.legacyQuestion && this.outcome === null ? [this.legacyQuestion] : [];
  }

  private onData(data: string): void {
    const event = parseEvent(data);
    const checked = checkedEvent(event);
    if (!checked)
      return this.warn(`event ${String(event.type).slice(0, 50)}: unknown`, String(event.type).startsWith('THINKING_'));
    const before = this.items.spoken.length;
    for (const one of this.chunks.expand(checked)) this.onEvent(one);
    if (this.items.spoken.length > before || String(checked.type).startsWith('TEXT_MESSAGE')) this.show();
  }

  private onEvent(event: Json): void {
    const type = event.type as string;
    if (!this.hasBegun && type !== 'RUN_STARTED' && type !== 'RUN_ERROR') throw broken(`began with ${type}`);
    if (type === 'RUN_STARTED') return this.onStarted(event);
    if (type === 'RUN_ERROR') return this.onError(event);
    if (this.phase === 'NONE') throw broken(`sent ${type} after the end of the run`);
    if (type === 'RUN_FINISHED') return this.onFinished(event);
    if (this.phase !== 'DROPPED') HANDLERS[type]?.(this, event);
  }

  private onStarted({ threadId, runId, protocolVersion }: Json): void {
    if (this.phase !== 'NONE') throw broken('began a run in a run');
    if (threadId !== this.conversation.chatId) throw broken('began a run of another thread');
    this.hasBegun = true;
    const isOurs = runId === this.conversation.runId || protocolVersion === undefined;
    if (this.hasEnded) {
      this.warn('RUN_STARTED: a run after the end');
      this.phase = 'DROPPED';
      return;
    }
    this.phase = isOurs ? 'OURS' : 'REPLAYED';
    if (isOurs) this.readVersion(protocolVersion as string | undefined);
  }

  private readVersion(version: string | undefined): void {
    this.protocolVersion = version === undefined ? null : storable(version.slice(0, 50));
    if (version === undefined) return;
    const [major, minor] = version.split('.').map(Number);
    const [ours, least] = PROTOCOL_VERSION.split('.').map(Number);
    const isKnown = major! < ours! || (major === ours && (minor ?? 0) <= least!);
    if (!isKnown) this.warn(`protocolVersion ${version.slice(0, 50)}: newer than ${PROTOCOL_VERSION}, or unreadable`);
  }

  private onError(event: Json): void {
    this.readUsage(event.usage);
    const { phase } = this;
    this.hasBegun = true;
    this.phase = 'NONE';
    if (phase === 'REPLAYED' || phase === 'DROPPED') return;
    const failure = endpointError(event);
    if (!this.hasEnded) throw failure;
    // The run has ended, so it isn't repeated.
    this.lateError = new RunFailure(failure.code, failure.message, 200, Infinity);
  }

  private onFinished({ threadId, runId, outcome, usage }: Json): void {
    if (threadId !== this.conversation.chatId) throw broken('ended a run of another thread');
    this.items.checkClosed();
    this.scopes.checkClosed();
    const { phase } = this;
    this.phase = 'NONE';
    if (phase !== 'OURS') return;
    if (this.protocolVersion !== null && runId !== this.conversation.runId)
      throw broken('ended another run than it began');
    this.hasEnded = true;
    this.readUsage(usage);
    if (!isJsonObject(outcome)) return;
    if (!['success', 'interrupt', 'cancelled'].includes(outcome.type as string))
      return this.warn(`outcome ${String(outcome.type).slice(0, 50)}: unknown`);
    if (outcome.type === 'interrupt') interruptsOf(outcome);
    this.outcome = outcome;
  }

  private readUsage(usage: unknown): void {
    const total: Record<string, number> = {};
    for (const one of Array.isArray(usage) ? usage.filter(isJsonObject) : []) {
      const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = one;
      const counts = usageOf({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens });
      for (const [name, count] of Object.entries(counts))
        total[name] = Math.min(MAX_TOKENS, (total[name] ?? 0) + (count as number));
    }
    if (Object.keys(total).length > 0) this.usage = total;
  }

  private show(): void {
    if (this.phase !== 'OURS') return;
    this.progress.onText(() => {
      const text = this.items.spoken.flatMap(({ text: one }) => (one.trim() === '' ? [] : [one])).join('\n\n');
      return this.hasMarker ? beforeMarker(text) : text;
    });
  }

  private warn(warning: string, isDropped = false): void {
    if (!isDropped && this.warnings.size < 50) this.warnings.add(warning);
  }

  /** Whether visitors see what comes now. */
  get isShown(): boolean {
    return this.phase === 'OURS';
  }

  onStatus(name: unknown): void {
    if (this.isShown) this.progress.onStatus(name as string);
  }
}

function nonEmpty(messages: Json[]): Json[] | null {
  return messages.length > 0 ? messages : null;
}

/** The ids of the messages and calls in the request. */
function idsOf({ history, asked, followUp }: Conversation): Set<string> {
  const ids = [...history, ...asked.map((said) => ({ said })), ...followUp].flatMap((part) => {
    if ('said' in part) return [part.said.id];
    return part.raw.flatMap(({ id, toolCalls }) => [
      id as string,
      ...((toolCalls ?? []) as Json[]).map((call) => call.id as string),
    ]);
  });
  return new Set(ids);
}
