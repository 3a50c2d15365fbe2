import { VISITOR_KINDS, type VisitorKind } from '../../organizations/widget-settings.js';
import { isJsonObject } from '../../platform/lib/json.js';
import { findNameFault } from '../../platform/validation/validators.js';

export const MAX_PROACTIVE_MESSAGES = 10;
export const MAX_PROACTIVE_BYTES = 20_000;
/** Eight members, two of them lists of 20 paths. */
export const MAX_PROACTIVE_VALUES = MAX_PROACTIVE_MESSAGES * 70;
const MAX_TEXT_LENGTH = 1_000;
const MAX_ID_LENGTH = 50;

type FindFault = (value: unknown) => string | null;

function findIdFault(value: unknown): string | null {
  const isId = typeof value === 'string' && value.length <= MAX_ID_LENGTH && /^[a-z0-9][a-z0-9-]*$/.test(value);
  return isId ? null : `must have 1 to ${MAX_ID_LENGTH} lower-case letters, digits, and hyphens`;
}

const findProactiveTextFault: FindFault = (value) => findNameFault(value, MAX_TEXT_LENGTH);

function between(min: number, max: number): FindFault {
  return (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? null
      : `must be a whole number from ${min} to ${max}`;
}

/** @param findPathsFault the fault of a list of paths, beginning with its place */
function faultFinders(findPathsFault: FindFault): Record<string, FindFault> {
  return {
    id: findIdFault,
    text: findProactiveTextFault,
    paths: findPathsFault,
    excludedPaths: findPathsFault,
    afterSeconds: between(0, 3_600),
    minPages: between(1, 100),
    afterScrollPercent: between(1, 100),
    visitor: (value) =>
      VISITOR_KINDS.includes(value as VisitorKind) ? null : `must be one of ${VISITOR_KINDS.join(', ')}`,
  };
}

/** Puts the place of a value before its fault, which may begin with a place in the value. */
export function faultAt(place: string, fault: string): string {
  return `/${place}${fault.startsWith('/') ? '' : ' '}${fault}`;
}

function findMessageFault(message: unknown, findPathsFault: FindFault): string | null {
  if (!isJsonObject(message)) return 'must be an object';
  const finders = faultFinders(findPathsFault);
  const names = Object.keys(finders);
  if (Object.keys(message).some((name) => !names.includes(name))) return `must contain only ${names.join(', ')}`;
  for (const name of names) {
    const isAbsent = message[name] === undefined && name !== 'id' && name !== 'text';
    const fault = isAbsent ? null : finders[name]!(message[name]);
    if (fault !== null) return faultAt(name, fault);
  }
  return null;
}

/** The fault of a list of proactive messages, beginning with its place; null without one. */
export function findProactiveMessagesFault(value: unknown, findPathsFault: FindFault): string | null {
  if (!Array.isArray(value) || value.length > MAX_PROACTIVE_MESSAGES)
    return `must be an array of at most ${MAX_PROACTIVE_MESSAGES} messages`;
  const ids = new Set<unknown>();
  for (const [at, message] of (value as unknown[]).entries()) {
    const fault = findMessageFault(message, findPathsFault);
    if (fault !== null) return faultAt(`${at}`, fault);
    const { id } = message as { id: string };
    if (ids.has(id)) return `/${at}/id must not be the id of another message`;
    ids.add(id);
  }
  return Buffer.byteLength(JSON.stringify(value)) > MAX_PROACTIVE_BYTES
    ? `must have at most ${MAX_PROACTIVE_BYTES} bytes of JSON`
    : null;
}

/** The fault of the messages' texts in another language, by their ids; null without one. */
export function findProactiveTextsFault(value: unknown): string | null {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_PROACTIVE_MESSAGES)
    return `must be an object with at most ${MAX_PROACTIVE_MESSAGES} texts`;
  for (const [id, text] of Object.entries(value)) {
    if (findIdFault(id)) return 'must have ids of messages as names';
    const fault = findProactiveTextFault(text);
    if (fault !== null) return faultAt(id, fault);
  }
  return null;
}
