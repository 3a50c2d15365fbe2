import { hasMoreValues, mayLoseDigits } from '../../lib/json.js';
import type { BodySize } from '../../validation/body-size.js';

/**
 * A socket's payload that was rejected before it was parsed. A REST request gets its error immediately; a socket's gets
 * it in the ack.
 */
export class RejectedBody {
  constructor(readonly detail: string) {}
}

/** Describes why JSON exceeds a limit; null when it doesn't. Stops reading at the limit. */
export function findExcess(json: string, { bytes, values }: BodySize): string | null {
  if (json.length > bytes) return tooManyBytes(bytes);
  // Shorter JSON can't have more values: a name, which counts as two, has three characters.
  if (json.length <= values || !hasMoreValues(json, values)) return null;
  return `The body has more than ${values} values`;
}

export function tooManyBytes(bytes: number): string {
  return `The body has more than ${bytes} bytes`;
}

const texts = new WeakMap<object, string>();

/** Parses JSON, and keeps its text if integers may have lost digits. @throws SyntaxError */
export function parseKeepingDigits(json: string, bodyOf = (value: unknown): unknown => value): unknown {
  const value: unknown = JSON.parse(json);
  const body = bodyOf(value);
  if (typeof body === 'object' && body !== null && mayLoseDigits(json)) texts.set(body, json);
  return value;
}

/** The JSON text of a body whose integers may have lost digits; undefined when all are exact. */
export function textWithLongNumbers(body: object): string | undefined {
  return texts.get(body);
}
