import { isJsonObject } from '../../platform/lib/json.js';
import type { Conversation, OpenConnection, Reply, ToolCall } from '../model/conversation.js';
import { RunFailure, type Usage } from '../model/turn.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { SseParser } from '../wire/sse.js';
import { AnswerText } from './answer-text.js';
import type { Driver, Progress, ReplyReader } from './driver.js';
import { openAiRequest } from './openai-request.js';
import { endpointError, type Json, parseEvent, usageOf } from './wire-json.js';

/** The most tool calls of a run. */
const MAX_CALLS = 64;

/** The members of a delta that are read. The others go back to the endpoint with its calls. */
const READ: ReadonlySet<string> = new Set(['role', 'content', 'refusal', 'tool_calls']);

/** OpenAI-compatible chat completions (CONTRACT: Bots by address). */
export class OpenAiDriver implements Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest {
    return openAiRequest(connection, conversation);
  }

  read({ settings }: OpenConnection, { runId }: Conversation, progress: Progress): ReplyReader {
    return new OpenAiReader(settings.tools.length === 0, runId, progress);
  }

  answer(callId: string, result: Json): Json {
    return { role: 'tool', tool_call_id: callId, content: JSON.stringify(result) };
  }
}

class OpenAiReader implements ReplyReader {
  private readonly parser = new SseParser((data) => this.onData(data));
  private isStream = true;
  private readonly whole: Buffer[] = [];
  private readonly text: AnswerText;
  private readonly calls: { call: ToolCall; raw: Json }[] = [];
  private readonly byIndex = new Map<number, { call: ToolCall; raw: Json }>();
  private extra: Json = {};
  private usage: Usage | null = null;
  private finishReason: string | null = null;
  private isDone = false;

  constructor(
    hasMarker: boolean,
    private readonly runId: string,
    private readonly progress: Progress,
  ) {
    this.text = new AnswerText(hasMarker, progress);
  }

  start(contentType: string): void {
    if (contentType === 'application/json') this.isStream = false;
    else if (contentType !== '' && contentType !== 'text/event-stream')
      throw new RunFailure('content_type', `answered ${contentType.slice(0, 100)} instead of a stream of events`, 200);
  }

  push(chunk: Buffer): void {
    if (this.isStream) this.parser.push(chunk);
    else this.whole.push(chunk);
  }

  end(): Reply {
    if (this.isStream) this.parser.end();
    else this.onWhole(Buffer.concat(this.whole).toString('utf8'));
    if (this.finishReason === null && !this.isDone)
      throw new RunFailure('truncated', 'the stream ended before its end');
    if (this.finishReason === 'content_filter')
      throw new RunFailure('filtered', "the model's content filter stopped the answer");
    return this.toReply();
  }

  textsSoFar(): string[] {
    return [this.text.shown()];
  }

  private toReply(): Reply {
    const { text: shown, handOver } = this.text.end();
    const calls = this.calls.map(({ call }) => call);
    return {
      messages: shown.trim() === '' ? [] : [shown],
      calls,
      handOver,
      raw: calls.length > 0 ? [this.toRaw(shown)] : null,
      usage: this.usage,
      warnings: this.finishReason === 'length' ? ['length: the answer reached the limit of tokens'] : [],
    };
  }

  private toRaw(content: string): Json {
    const calls = this.calls.map(({ call: { id, name, arguments: args }, raw }) => ({
      ...raw,
      id,
      type: 'function',
      function: { name, arguments: args },
    }));
    return { ...this.extra, role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
  }

  private onData(data: string): void {
    if (this.isDone) return;
    if (data.trim() === '[DONE]') {
      this.isDone = true;
      return;
    }
    const event = parseEvent(data);
    if (event.error !== undefined && event.error !== null) throw endpointError(event.error);
    this.readUsage(event.usage);
    const choice = firstChoice(event);
    if (!choice) return;
    if (isJsonObject(choice.delta)) this.readDelta(choice.delta);
    this.readFinish(choice);
  }

  private onWhole(body: string): void {
    const answer = parseEvent(body);
    if (answer.error !== undefined && answer.error !== null) throw endpointError(answer.error);
    this.readUsage(answer.usage);
    const choice = firstChoice(answer);
    if (!isJsonObject(choice?.message)) throw new RunFailure('protocol', 'answered JSON without choices[0].message');
    this.readDelta(choice.message);
    this.readFinish(choice);
    this.isDone = true;
  }

  private readFinish({ finish_reason: reason }: Json): void {
    if (typeof reason === 'string') this.finishReason = reason;
  }

  private readDelta(delta: Json): void {
    const { content, refusal, tool_calls: calls } = delta;
    const part = [content, refusal].filter((text) => typeof text === 'string').join('');
    if (part !== '') this.text.add(part);
    if (Array.isArray(calls)) calls.forEach((call, at) => this.readCall(call, at));
    for (const [name, value] of Object.entries(delta))
      if (!READ.has(name)) this.extra[name] = merged(this.extra[name], value);
  }

  private readCall(value: unknown, at: number): void {
    if (!isJsonObject(value)) throw new RunFailure('protocol', 'sent a tool call that is not an object');
    const { index, id, type: _, function: given, ...more } = value;
    const fields = isJsonObject(given) ? given : {};
    const known = this.findCall(typeof index === 'number' ? index : at);
    if (typeof id === 'string' && id !== '') known.call.id = id;
    if (typeof fields.name === 'string' && known.call.name === '') this.name(known.call, fields.name);
    if (typeof fields.arguments === 'string') known.call.arguments += fields.arguments;
    Object.assign(known.raw, more);
  }

  private name(call: ToolCall, name: string): void {
    call.name = name;
    this.progress.onStatus(name);
  }

  private findCall(index: number): { call: ToolCall; raw: Json } {
    const known = this.byIndex.get(index);
    if (known) return known;
    if (this.calls.length >= MAX_CALLS) throw new RunFailure('too_large', `called more than ${MAX_CALLS} tools`);
    const added = { call: { id: `call_${this.runId}_${this.calls.length}`, name: '', arguments: '' }, raw: {} };
    this.calls.push(added);
    this.byIndex.set(index, added);
    return added;
  }

  private readUsage(usage: unknown): void {
    if (isJsonObject(usage)) this.usage = toUsage(usage);
  }
}

function firstChoice({ choices }: Json): Json | null {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isJsonObject(first) ? first : null;
}

// Texts of unknown members come in parts too.
function merged(known: unknown, value: unknown): unknown {
  return typeof known === 'string' && typeof value === 'string' ? known + value : (value ?? known);
}

function toUsage(usage: Json): Usage {
  const inner = (name: string) => (isJsonObject(usage[name]) ? usage[name] : {});
  return usageOf({
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedInputTokens: inner('prompt_tokens_details').cached_tokens,
    reasoningTokens: inner('completion_tokens_details').reasoning_tokens,
  });
}
