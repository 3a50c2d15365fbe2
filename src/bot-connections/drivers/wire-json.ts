import { isJsonObject } from '../../platform/lib/json.js';
import { RunFailure, type Usage } from '../model/turn.js';

export type Json = Record<string, unknown>;

/** The deepest nesting of an event. */
const MAX_DEPTH = 200;

/** An event of a stream. @throws RunFailure protocol, too_large */
export function parseEvent(data: string): Json {
  if (isNestedDeeply(data)) throw new RunFailure('too_large', `nested more than ${MAX_DEPTH} levels`);
  return tryParse(data) ?? fail('sent something that is not a JSON object');
}

/** The JSON object in a text; null for anything else. */
export function tryParse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a JSON text is nested more than 200 levels. Brackets in texts are skipped. A text that isn't JSON is refused later. */
export function isNestedDeeply(json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isText && character === '\\') at++;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === '{' || character === '[')) depth++;
    else if (!isText && (character === '}' || character === ']')) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** A member that must be a text. @throws RunFailure protocol */
export function textOf(event: Json, name: string): string {
  const value = event[name];
  return typeof value === 'string' ? value : fail(`sent an event whose ${name} is not a text`);
}

/** The failure that an endpoint reports. */
export function endpointError(error: unknown): RunFailure {
  const message = isJsonObject(error) ? error.message : error;
  return new RunFailure('endpoint_error', typeof message === 'string' ? message : 'reported an error');
}

/** The most tokens of a kind that a run counts. */
export const MAX_TOKENS = 1_000_000_000;

/** Keeps the values that are counts: integers of at least 0. */
export function usageOf(found: Record<keyof Usage, unknown>): Usage {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => isCount(value))) as Usage;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
}

function fail(detail: string): never {
  throw new RunFailure('protocol', detail);
}
