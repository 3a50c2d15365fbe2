import { isJsonObject } from '../../platform/lib/json.js';
import type { Conversation, OpenConnection, Part, Reply } from '../model/conversation.js';
import { RunFailure } from '../model/turn.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { decodeLine, LineParser } from '../wire/lines.js';
import { AnswerText } from './answer-text.js';
import type { Driver, Progress, ReplyReader } from './driver.js';
import { bodyWithin, runRequest } from './json-request.js';
import { known, personOf, questionOf } from './shared-data.js';
import { textWithFiles } from './shared-files.js';
import { endpointError, type Json, tryParse } from './wire-json.js';

/** n8n's Chat Trigger (CONTRACT: Bots by address). n8n keeps the conversation by the chat's id. */
export class N8nDriver implements Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest {
    const { history } = conversation;
    const body = bodyWithin(history.length, (first) => toBody(conversation, history.slice(first)));
    return runRequest(connection, conversation, { body, accept: '*/*' });
  }

  read(_: OpenConnection, __: Conversation, progress: Progress): ReplyReader {
    return new N8nReader(progress);
  }
}

function toBody(conversation: Conversation, history: readonly Part[]): Json {
  const { turnId, step, try: tries, visitor, page, groups, notes, asked } = conversation;
  const person = personOf(conversation);
  const messages = history.flatMap((part) =>
    'said' in part ? [{ by: part.said.by, ...known({ name: part.said.name }), text: textWithFiles(part.said) }] : [],
  );
  const files = asked.flatMap((one) => one.files);
  const parley = known({
    turnId,
    step,
    try: tries,
    visitor: person && { ...person, isVerified: visitor!.isVerified },
    page,
    groups,
    notes,
    files: files.length > 0 ? files : null,
    value: asked.at(-1)?.value,
  });
  return {
    action: 'sendMessage',
    sessionId: conversation.chatId,
    chatInput: questionOf(conversation, false),
    metadata: { parley: { ...parley, messages } },
  };
}

/** The most texts that are open at a time, and the most messages. */
const MAX_OPEN = 64;
const MAX_MESSAGES = 1_000;

/** The body decides how it's read, because workflows send it with any content type. */
class N8nReader implements ReplyReader {
  private readonly parser = new LineParser((line) => this.onLine(decodeLine(line)));
  private readonly lines: string[] = [];
  /** Null until the first line with something in it. */
  private isStream: boolean | null = null;
  /** The texts of nodes' runs that haven't ended, by node and run, the oldest first. */
  private readonly open = new Map<string, AnswerText>();
  private last: AnswerText | null = null;
  private readonly messages: string[] = [];
  private handOver: Reply['handOver'] = null;

  constructor(private readonly progress: Progress) {}

  start(): void {
    // Any type is accepted.
  }

  push(chunk: Buffer): void {
    this.parser.push(chunk);
  }

  end(): Reply {
    this.parser.end();
    if (!this.isStream) this.onWhole(this.lines.join('\n').trim());
    else if (this.open.size > 0) throw new RunFailure('truncated', 'the stream ended before its end');
    const { messages, handOver } = this;
    return { messages, calls: [], handOver, raw: null, usage: null, warnings: [] };
  }

  textsSoFar(): string[] {
    return [...this.messages, ...[...this.open.values()].slice(0, 1).map((text) => text.shown())];
  }

  private onLine(line: string): void {
    const event = tryParse(line);
    if (this.isStream === null && line.trim() !== '') this.isStream = isEvent(event);
    if (!this.isStream) this.lines.push(line);
    else if (isEvent(event)) this.onEvent(event);
    else if (line.trim() !== '') this.last?.add(`\n${line}`);
  }

  private onEvent({ type, content, metadata }: Event): void {
    if (type === 'error') throw endpointError(content);
    const key = JSON.stringify([metadata.nodeId, metadata.runIndex]);
    const known = this.open.get(key);
    if (type === 'end') return this.close(key, known);
    if (type !== 'begin' && type !== 'item') return;
    const text = known ?? this.begin(key);
    this.last = text;
    if (typeof content === 'string' && type === 'item') text.add(content);
  }

  private begin(key: string): AnswerText {
    if (this.open.size >= MAX_OPEN) throw new RunFailure('too_large', `began more than ${MAX_OPEN} texts at a time`);
    // While several texts arrive, only the one that began first is shown.
    const shown: Progress = {
      onText: (read) => this.open.values().next().value === text && this.progress.onText(read),
      onStatus: () => undefined,
    };
    const text = new AnswerText(true, shown);
    this.open.set(key, text);
    return text;
  }

  private close(key: string, text: AnswerText | undefined): void {
    if (!text) return;
    this.open.delete(key);
    if (this.last === text) this.last = null;
    this.keep(text);
  }

  private keep(answer: AnswerText): void {
    if (this.handOver) return;
    const { text, handOver } = answer.end();
    if (text.trim() !== '' && this.messages.push(text) > MAX_MESSAGES)
      throw new RunFailure('too_large', `sent more than ${MAX_MESSAGES} messages`);
    this.handOver = handOver;
  }

  private onWhole(body: string): void {
    if (isHtml(body)) throw new RunFailure('content_type', 'answered with a page of HTML', 200);
    const answer = new AnswerText(true, this.progress);
    answer.add(textIn(body));
    this.keep(answer);
  }
}

interface Event extends Json {
  type: string;
  metadata: Json;
}

function isEvent(value: Json | null): value is Event {
  return value !== null && typeof value.type === 'string' && isJsonObject(value.metadata);
}

/** The text of a whole body: from a JSON object, from the first object of an array, or the body itself. @throws RunFailure unsupported */
function textIn(body: string): string {
  const given = body.startsWith('{') || body.startsWith('[') ? parse(body) : undefined;
  if (given === undefined) return body;
  const answer: unknown = Array.isArray(given) ? given[0] : given;
  if (!isJsonObject(answer)) return '';
  if (answer.executionStarted === true)
    throw new RunFailure('unsupported', 'the workflow answers with "Using Response Nodes", which has no answer');
  const text = [answer.output, answer.text, answer.message].find((value) => typeof value === 'string');
  return (text as string | undefined) ?? '';
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isHtml(body: string): boolean {
  const begun = body.slice(0, 20).toLowerCase();
  return begun.startsWith('<!doctype html') || begun.startsWith('<html');
}
