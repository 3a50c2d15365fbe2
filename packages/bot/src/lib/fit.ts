import { toText } from '../errors.js';
import { storable } from './text.js';
import type { HandOverOptions } from '../wire.js';

/** Characters (Unicode code points) of a hand-over's texts. */
const LIMITS = { reason: 500, summary: 2_000 };
/** The same of its cause. */
const CAUSE_LIMITS = { name: 100, message: 500 };

/**
 * Makes the texts of a hand-over such as Parley takes them, because language models and errors write long and broken ones.
 * @param warn called for each cut text, but not for the cause: no one can change what an error says
 */
export function fit<Options extends HandOverOptions>(options: Options, warn: (line: string) => void): Options {
  const texts = Object.entries(LIMITS).map(([name, limit]) => {
    const text = options[name as keyof typeof LIMITS];
    if (typeof text !== 'string') return [name, text];
    if ([...text].length <= limit) return [name, storable(text)];
    warn(`handOver(): ${name} has more than ${limit.toLocaleString('en')} characters and was cut`);
    return [name, storable(cut(text, limit))];
  });
  const { cause } = options;
  return {
    ...options,
    ...(Object.fromEntries(texts) as Pick<HandOverOptions, keyof typeof LIMITS>),
    ...(cause != null && { cause: causeOf(cause) }),
  };
}

/** The name and message of a thrown value, which may be anything. */
export function causeOf(error: unknown): NonNullable<HandOverOptions['cause']> {
  const { name, message } = partsOf(error);
  return {
    name: cut(textOf(name), CAUSE_LIMITS.name) || 'Error',
    message: cut(textOf(message), CAUSE_LIMITS.message),
  };
}

function partsOf(error: unknown): { name?: unknown; message?: unknown } {
  try {
    if (error === null || typeof error !== 'object') return { message: String(error) };
    const { name, message } = error as Partial<Error>;
    return { name, message };
  } catch {
    return { message: toText(error) };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? storable(value) : '';
}

function cut(text: string, limit: number): string {
  return [...text].slice(0, limit).join('');
}
