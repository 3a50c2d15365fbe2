import { isJsonObject, isStorable } from '../../../platform/lib/json.js';
import { RunFailure } from '../../model/turn.js';
import type { Interrupt } from '../../model/question.js';
import type { Json } from '../wire-json.js';
import { broken } from './items.js';

/** The most questions of a run. */
const MAX_INTERRUPTS = 10;

/** The questions of an outcome. @throws RunFailure protocol, too_large */
export function interruptsOf({ interrupts }: Json): Interrupt[] {
  if (!Array.isArray(interrupts) || interrupts.length === 0) throw broken('interrupted without interrupts');
  if (interrupts.length > MAX_INTERRUPTS)
    throw new RunFailure('too_large', `asked more than ${MAX_INTERRUPTS} questions in a run`);
  const read = interrupts.map(toInterrupt);
  if (new Set(read.map(({ id }) => id)).size < read.length) throw broken('asked two questions with one id');
  return read;
}

function toInterrupt(value: unknown): Interrupt {
  if (!isJsonObject(value)) throw broken('sent an interrupt that is not an object');
  const { id, reason, message, toolCallId, responseSchema, expiresAt } = value;
  const texts = [message, toolCallId, expiresAt];
  if (typeof id !== 'string' || typeof reason !== 'string' || !texts.every(isTextOrAbsent))
    throw broken('sent a malformed interrupt');
  if (responseSchema !== undefined && !isJsonObject(responseSchema)) throw broken('sent a malformed interrupt');
  const given = { id, reason, message, toolCallId, responseSchema, expiresAt };
  return Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) as unknown as Interrupt;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** The question of an endpoint from before AG-UI 1.0. */
export function legacyInterrupt(value: unknown): Interrupt {
  const text = isJsonObject(value) ? [value.message, value.question].find((one) => typeof one === 'string') : value;
  const message = typeof text === 'string' && isStorable(text) ? { message: text } : {};
  return { id: 'on_interrupt', reason: 'on_interrupt', ...message, isLegacy: true };
}
