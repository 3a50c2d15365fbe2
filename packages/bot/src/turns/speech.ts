import { ArgumentError } from '../lib/stack.js';
import { MAX_LENGTH, storable } from '../lib/text.js';

/**
 * A part of a stream: text, as a string or as UTF-8; metadata of the message, such as the sources of an answer; a status, such as
 * "Searching orders…", which the visitor reads until the next text.
 */
export type Part =
  | string
  | Uint8Array
  | { text: string; metadata?: Metadata; status?: string }
  | { text?: string; metadata: Metadata; status?: string }
  | { text?: string; metadata?: Metadata; status: string };
type Metadata = Record<string, unknown>;
type Parts = Iterable<Part> | AsyncIterable<Part>;
/**
 * What `streamText` of the AI SDK and `stream` of a Mastra agent return. Their `textStream` ends on an error as if it were complete;
 * `finishReason` says whether it is.
 */
export interface ModelResult {
  textStream: Parts;
  finishReason?: unknown;
  error?: unknown;
}
/** The argument of `say`: a text, or its parts as they arrive, such as the output of a language model. */
export type Source = string | Parts | ModelResult;

/** A source's complete text and metadata. Later metadata is merged into earlier. */
export interface Speech {
  text: string;
  metadata: Metadata;
}

type GivenPart = Partial<Speech> & { status?: string };

const TAKEN = "it takes a text or an (async) iterable of texts, or a model's result with a textStream";
const MEMBERS: readonly string[] = ['text', 'metadata', 'status'];

/**
 * Collects a text and its metadata.
 * @param show called with the text so far, and the status, after each part
 * @throws TypeError that names an invalid part
 */
export async function collect(source: Source, show: (soFar: string, status?: string) => void): Promise<Speech> {
  if (typeof source === 'string') return { text: source, metadata: {} };
  const decoder = new TextDecoder();
  const speech: Speech = { text: '', metadata: {} };
  let doing: string | undefined;
  const result = isResult(source) ? source : undefined;
  for await (const part of partsOf(result?.textStream ?? source)) {
    const { text = '', metadata, status } = toPart(part, decoder);
    speech.text += text;
    Object.assign(speech.metadata, metadata);
    // The next text ends a status.
    doing = status ?? (text === '' ? doing : undefined);
    show(speech.text, doing);
  }
  if (result) await checkFinished(result);
  return { ...speech, text: speech.text + decoder.decode() };
}

function isResult(source: Source): source is ModelResult {
  return typeof source === 'object' && source !== null && 'textStream' in source;
}

/** The reasons of an answer that isn't complete. `unknown`: the stream ended without a reason. */
const UNFINISHED: readonly unknown[] = ['error', 'unknown'];

/** @throws the model's error if its stream broke off */
async function checkFinished(result: ModelResult): Promise<void> {
  const reason = await result.finishReason;
  if (!UNFINISHED.includes(reason)) return;
  throw (await result.error) ?? new Error(`The model's stream broke off: finishReason is ${String(reason)}`);
}

function partsOf(source: unknown): Parts {
  if (source instanceof Uint8Array) return [source];
  const isIterable = typeof source === 'object' && source !== null;
  if (isIterable && (Symbol.asyncIterator in source || Symbol.iterator in source)) return source as Parts;
  throw new ArgumentError(`${TAKEN}, not ${nameOf(source)}`);
}

function toPart(part: unknown, decoder: InstanceType<typeof TextDecoder>): GivenPart {
  if (typeof part === 'string') return { text: part };
  if (part instanceof Uint8Array) return { text: decoder.decode(part, { stream: true }) };
  if (isPart(part)) return part;
  throw new ArgumentError(`${TAKEN}; a part of it is ${nameOf(part)}`);
}

/** Rejects objects with other members, which aren't meant for visitors, such as a model's reasoning. */
function isPart(part: unknown): part is GivenPart {
  if (typeof part !== 'object' || part === null) return false;
  const { text, metadata, status } = part as { text?: unknown; metadata?: unknown; status?: unknown };
  const members = Object.keys(part);
  const isText = [text, status].every((one) => one === undefined || typeof one === 'string');
  const isMetadata = metadata === undefined || (typeof metadata === 'object' && metadata !== null);
  return members.length > 0 && members.every((member) => MEMBERS.includes(member)) && isText && isMetadata;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const members = Object.keys(value).slice(0, 5).join(', ');
  return `an object with the members ${members || '(none)'}`;
}

/** Splits a text into messages, at the end of a paragraph, line, or word if there's one in the second half. */
export function toMessages(text: string): string[] {
  const messages: string[] = [];
  for (let rest = [...storable(text).trim()]; rest.length > 0;) {
    const length = rest.length <= MAX_LENGTH ? rest.length : findEnd(rest.slice(0, MAX_LENGTH));
    messages.push(rest.slice(0, length).join('').trim());
    rest = [...rest.slice(length).join('').trimStart()];
  }
  return messages;
}

function findEnd(characters: string[]): number {
  const half = MAX_LENGTH / 2;
  const paragraph = characters.findLastIndex(
    (character, index) => character === '\n' && characters[index - 1] === '\n',
  );
  const places = [paragraph, characters.lastIndexOf('\n'), characters.lastIndexOf(' ')];
  const place = places.find((index) => index >= half);
  return place === undefined ? MAX_LENGTH : place + 1;
}
