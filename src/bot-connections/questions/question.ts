import { isJsonObject, isStorable } from '../../platform/lib/json.js';
import type { Interrupt } from '../model/question.js';

/** How a question is asked: with choices, or for words that become a payload. */
export type Form =
  | { choices: { label: string; payload: unknown }[] }
  | { read: (words: string) => { payload: unknown } | null };

const MAX_CHOICES = 10;
const MAX_LABEL = 100;
/** What's asked if the question has no text. */
const DEFAULT_TEXT = 'Please answer.';

/** The text of a question. */
export function textOf({ message }: Interrupt): string {
  return message !== undefined && message.trim() !== '' ? message : DEFAULT_TEXT;
}

/** How a question can be asked in a chat. Null: it can't. */
export function formOf({ reason, responseSchema: schema }: Interrupt): Form | null {
  if (schema === undefined) return withoutSchema(reason);
  const choices = choicesOf(schema);
  if (choices) return { choices };
  if (schema.type === 'object') return ofObject(schema);
  return wordsOf(schema);
}

function withoutSchema(reason: string): Form {
  if (reason === 'confirmation') return yesOrNo((isYes) => isYes);
  if (reason === 'tool_call') return yesOrNo((isYes) => ({ approved: isYes }));
  return { read: (words) => ({ payload: words }) };
}

function yesOrNo(payloadOf: (isYes: boolean) => unknown): Form {
  return {
    choices: [
      { label: 'Yes', payload: payloadOf(true) },
      { label: 'No', payload: payloadOf(false) },
    ],
  };
}

function choicesOf({ enum: values, type }: Record<string, unknown>): { label: string; payload: unknown }[] | null {
  if (Array.isArray(values)) {
    const choices = values.map((payload: unknown) => ({ label: String(payload), payload }));
    const labels = new Set(choices.map(({ label }) => label));
    const isRight = choices.length >= 1 && choices.length <= MAX_CHOICES && labels.size === choices.length;
    return isRight && choices.every(isChoice) ? choices : null;
  }
  if (type !== 'boolean') return null;
  return [
    { label: 'Yes', payload: true },
    { label: 'No', payload: false },
  ];
}

function isChoice({ label, payload }: { label: string; payload: unknown }): boolean {
  if (typeof payload === 'object' && payload !== null) return false;
  return label.trim() !== '' && label.length <= MAX_LABEL && isStorable(label);
}

function ofObject({ properties, required }: Record<string, unknown>): Form | null {
  const [name, ...others] = Array.isArray(required) ? (required as unknown[]) : [];
  if (typeof name !== 'string' || others.length > 0 || !isJsonObject(properties)) return null;
  const property = Object.hasOwn(properties, name) ? properties[name] : null;
  const choices = isJsonObject(property) ? choicesOf(property) : null;
  return choices && { choices: choices.map(({ label, payload }) => ({ label, payload: { [name]: payload } })) };
}

function wordsOf(schema: Record<string, unknown>): Form | null {
  const { type, enum: values } = schema;
  if (values !== undefined) return null;
  if (type === 'string')
    return {
      read: (words) => (isWithin(words.length, schema.minLength, schema.maxLength) ? { payload: words } : null),
    };
  if (type !== 'number' && type !== 'integer') return null;
  return {
    read: (words) => {
      const value = words.trim() === '' ? Number.NaN : Number(words.trim());
      const isRight = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      return isRight && isWithin(value, schema.minimum, schema.maximum) ? { payload: value } : null;
    },
  };
}

function isWithin(value: number, min: unknown, max: unknown): boolean {
  return !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max);
}

/** Whether the endpoint no longer takes an answer. @param now milliseconds */
export function isExpired({ expiresAt }: Interrupt, now: number): boolean {
  const at = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return at <= now;
}
