import type { ToolCall } from '../../model/conversation.js';
import { RunFailure } from '../../model/turn.js';
import type { Json } from '../wire-json.js';

/** The most UTF-16 code units of text, and tool calls, of a run. */
const MAX_TEXT = 50_000;
const MAX_CALLS = 64;
/** The most messages of a run and its snapshots, and the most that visitors get. */
const MAX_MESSAGES = 1_000;
/** The roles of messages that go back to the endpoint. */
const SENT_BACK = ['assistant', 'user', 'system', 'developer'];

/** A message that visitors get. */
export interface Spoken {
  text: string;
  isClosed: boolean;
}

interface OpenText {
  message: Json;
  spoken: Spoken | null;
  subagent: unknown;
}

interface OpenCall {
  call: ToolCall;
  raw: Json;
  subagent: unknown;
}

/** The messages, tool calls, and reasoning of a run, oldest first. */
export class RunItems {
  /** In the endpoint's form, for the transcript. */
  private list: Json[] = [];
  readonly spoken: Spoken[] = [];
  /** All calls, even if the endpoint answered them itself. */
  readonly calls = new Map<string, ToolCall>();
  readonly answered = new Set<string>();
  private readonly openTexts = new Map<string, OpenText>();
  private readonly openCalls = new Map<string, OpenCall>();
  private readonly openReasoning = new Map<string, { message: Json; subagent: unknown }>();
  private readonly openSpans = new Set<string>();
  private textLength = 0;

  /** @param sentIds messages and calls that the endpoint got. They aren't repeated in the transcript */
  constructor(private readonly sentIds: ReadonlySet<string>) {}

  get messages(): readonly Json[] {
    return this.list;
  }

  /** @throws RunFailure too_large */
  set messages(messages: readonly Json[]) {
    checkCount(messages.length);
    this.list = [...messages];
  }

  private push(message: Json): void {
    checkCount(this.list.push(message));
  }

  /** @param isShown whether visitors get it @throws RunFailure protocol, too_large */
  startText({ messageId, role = 'assistant', name, subagentRunId }: Json, isShown: boolean): void {
    const id = messageId as string;
    if (this.openTexts.has(id)) throw broken(`opened message ${id} again`);
    const spoken = isShown && role === 'assistant' ? { text: '', isClosed: false } : null;
    if (spoken) checkCount(this.spoken.push(spoken));
    const message = this.find(id) ?? { id, role, ...(name !== undefined && { name }), content: '' };
    if (!this.messages.includes(message) && SENT_BACK.includes(role as string) && !this.sentIds.has(id))
      this.push(message);
    this.openTexts.set(id, { message, spoken, subagent: subagentRunId });
  }

  addText({ messageId, delta, subagentRunId }: Json): void {
    const open =
      this.openTexts.get(messageId as string) ?? fail(`continued message ${String(messageId)}, which isn't open`);
    checkTag(open.subagent, subagentRunId);
    this.textLength += (delta as string).length;
    if (this.textLength > MAX_TEXT) throw new RunFailure('too_large', 'wrote more than 50,000 characters');
    open.message.content = ((open.message.content as string | undefined) ?? '') + (delta as string);
    if (open.spoken) open.spoken.text += delta as string;
  }

  endText({ messageId, subagentRunId }: Json): void {
    const open =
      this.openTexts.get(messageId as string) ?? fail(`ended message ${String(messageId)}, which isn't open`);
    checkTag(open.subagent, subagentRunId);
    if (open.spoken) open.spoken.isClosed = true;
    this.openTexts.delete(messageId as string);
  }

  startCall({ toolCallId, toolCallName, parentMessageId, subagentRunId }: Json): void {
    const id = toolCallId as string;
    if (this.openCalls.has(id)) throw broken(`opened tool call ${id} again`);
    if (this.calls.size >= MAX_CALLS && !this.calls.has(id))
      throw new RunFailure('too_large', `called more than ${MAX_CALLS} tools`);
    const call = { id, name: toolCallName as string, arguments: '' };
    const raw = { id, type: 'function', function: functionOf(call) };
    // A call that has an answer keeps its arguments, and isn't executed again.
    if (!this.sentIds.has(id)) {
      this.calls.set(id, call);
      this.addCall(raw, (parentMessageId as string | undefined) ?? id);
    }
    this.openCalls.set(id, { call, raw, subagent: subagentRunId });
  }

  addArguments({ toolCallId, delta, subagentRunId }: Json): void {
    const open =
      this.openCalls.get(toolCallId as string) ?? fail(`continued call ${String(toolCallId)}, which isn't open`);
    checkTag(open.subagent, subagentRunId);
    open.call.arguments += delta as string;
    open.raw.function = functionOf(open.call);
  }

  endCall({ toolCallId, subagentRunId }: Json): void {
    const open = this.openCalls.get(toolCallId as string) ?? fail(`ended call ${String(toolCallId)}, which isn't open`);
    checkTag(open.subagent, subagentRunId);
    this.openCalls.delete(toolCallId as string);
  }

  /** Adds what one of the endpoint's own tools returned. */
  addResult({ messageId, toolCallId, content }: Json): void {
    this.answered.add(toolCallId as string);
    if (!this.sentIds.has(messageId as string)) this.push({ id: messageId, role: 'tool', toolCallId, content });
  }

  startSpan({ messageId }: Json): void {
    if (this.openSpans.has(messageId as string)) throw broken('opened a span of reasoning again');
    this.openSpans.add(messageId as string);
  }

  endSpan({ messageId }: Json): void {
    if (!this.openSpans.delete(messageId as string)) throw broken("ended a span of reasoning that isn't open");
  }

  startReasoning({ messageId: id, subagentRunId }: Json): void {
    if (this.openReasoning.has(id as string)) throw broken('opened a reasoning message again');
    const message = this.find(id as string) ?? { id, role: 'reasoning', content: '' };
    if (!this.messages.includes(message) && !this.sentIds.has(id as string)) this.push(message);
    this.openReasoning.set(id as string, { message, subagent: subagentRunId });
  }

  addReasoning({ messageId, delta, subagentRunId }: Json): void {
    const open = this.openReasoning.get(messageId as string) ?? fail("continued reasoning that isn't open");
    checkTag(open.subagent, subagentRunId);
    open.message.content = (open.message.content as string) + (delta as string);
  }

  endReasoning({ messageId }: Json): void {
    if (!this.openReasoning.delete(messageId as string)) throw broken("ended reasoning that isn't open");
  }

  /** The message or the call with an id. */
  find(id: string, isCall = false): Json | null {
    if (!isCall) return this.messages.find((message) => message.id === id) ?? null;
    const calls = this.messages.flatMap(({ toolCalls }) => (toolCalls ?? []) as Json[]);
    return calls.find((call) => call.id === id) ?? null;
  }

  /** @throws RunFailure protocol if something is open at the end of the run */
  checkClosed(): void {
    const open = [this.openTexts, this.openCalls, this.openReasoning, this.openSpans];
    if (open.some(({ size }) => size > 0)) throw broken('ended the run with something open');
  }

  /** The messages for the transcript, without empty answers, and without reasoning that has no encrypted value. */
  kept(): Json[] {
    return this.messages.filter(({ role, content, encryptedValue, toolCalls }) => {
      if (role === 'reasoning') return encryptedValue !== undefined;
      return role !== 'assistant' || toolCalls !== undefined || content !== '';
    });
  }

  private addCall(raw: Json, parentId: string): void {
    const known = this.messages.find(({ id, role }) => id === parentId && role === 'assistant');
    if (!known) this.push({ id: parentId, role: 'assistant', toolCalls: [raw] });
    else known.toolCalls = [...((known.toolCalls ?? []) as Json[]), raw];
  }
}

function checkCount(messages: number): void {
  if (messages > MAX_MESSAGES) throw new RunFailure('too_large', `sent more than ${MAX_MESSAGES} messages`);
}

function functionOf({ name, arguments: args }: ToolCall): Json {
  return { name, arguments: args };
}

function checkTag(expected: unknown, given: unknown): void {
  if (given !== undefined && given !== expected) throw broken('sent an event of another subagent');
}

export function broken(detail: string): RunFailure {
  return new RunFailure('protocol', detail.slice(0, 200));
}

function fail(detail: string): never {
  throw broken(detail);
}
