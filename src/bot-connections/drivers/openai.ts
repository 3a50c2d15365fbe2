import { isJsonObject } from '../../platform/lib/json.js';
import type { Conversation, OpenConnection, Reply, ToolCall } from '../model/conversation.js';
import { RunFailure, type Usage } from '../model/turn.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { SseParser } from '../wire/sse.js';
import type { Driver, Progress, ReplyReader } from './driver.js';
import { openAiRequest } from './openai-request.js';
import { beforeMarker, type Marked, readMarker, withoutTeam, withoutThinking } from './spoken-text.js';

/** The most UTF-16 code units of text, and tool calls, of a run. */
const MAX_TEXT = 50_000;
const MAX_CALLS = 64;

/** The members of a delta that are read. The others go back to the endpoint with its calls. */
const READ: ReadonlySet<string> = new Set(['role', 'content', 'refusal', 'tool_calls']);

type Json = Record<string, unknown>;

/** OpenAI-compatible chat completions (CONTRACT section 17.8). */
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
  private text = '';
  private readonly calls: { call: ToolCall; raw: Json }[] = [];
  private readonly byIndex = new Map<number, { call: ToolCall; raw: Json }>();
  private extra: Json = {};
  private usage: Usage | null = null;
  private finishReason: string | null = null;
  private isDone = false;

  constructor(
    private readonly hasMarker: boolean,
    private readonly runId: string,
    private readonly progress: Progress,
  ) {}

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

  private toReply(): Reply {
    const { text, isThinking } = withoutThinking(this.text);
    const { text: shown, handOver } = this.mark(isThinking ? '' : withoutTeam(text));
    const calls = this.calls.map(({ call }) => call);
    return {
      messages: shown.trim() === '' ? [] : [shown],
      calls,
      handOver,
      raw: calls.length > 0 ? this.toRaw(shown) : null,
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

  private mark(text: string): Marked {
    return this.hasMarker ? readMarker(text) : { text, handOver: null };
  }

  private readonly shownText = (): string => {
    const text = withoutTeam(withoutThinking(this.text).text);
    return this.hasMarker ? beforeMarker(text) : text;
  };

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
    if (part !== '') this.readText(part);
    if (Array.isArray(calls)) calls.forEach((call, at) => this.readCall(call, at));
    for (const [name, value] of Object.entries(delta))
      if (!READ.has(name)) this.extra[name] = merged(this.extra[name], value);
  }

  private readText(part: string): void {
    this.text += part;
    if (this.text.length > MAX_TEXT) throw new RunFailure('too_large', 'wrote more than 50,000 characters');
    this.progress.onText(this.shownText);
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

function parseEvent(data: string): Json {
  try {
    const event: unknown = JSON.parse(data);
    if (isJsonObject(event)) return event;
  } catch {
    // Falls through to the same failure.
  }
  throw new RunFailure('protocol', 'sent something that is not a JSON object');
}

function firstChoice({ choices }: Json): Json | null {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isJsonObject(first) ? first : null;
}

function endpointError(error: unknown): RunFailure {
  const message = isJsonObject(error) ? error.message : error;
  return new RunFailure('endpoint_error', typeof message === 'string' ? message : 'reported an error');
}

// Texts of unknown members come in parts too.
function merged(known: unknown, value: unknown): unknown {
  return typeof known === 'string' && typeof value === 'string' ? known + value : (value ?? known);
}

function toUsage(usage: Json): Usage {
  const inner = (name: string) => (isJsonObject(usage[name]) ? usage[name] : {});
  const found = {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedInputTokens: inner('prompt_tokens_details').cached_tokens,
    reasoningTokens: inner('completion_tokens_details').reasoning_tokens,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => isCount(value))) as Usage;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
