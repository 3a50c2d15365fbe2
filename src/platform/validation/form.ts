import { isEmail } from 'class-validator';
import { isJsonObject } from '../lib/json.js';
import { findTextFault } from './validators.js';

/** The kinds of a form's fields (CONTRACT: Messages). */
export const FIELD_TYPES = ['text', 'textarea', 'email', 'tel', 'number', 'date', 'select', 'checkbox'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A field of a form. */
export interface FormField {
  /** 1 to 64 of `a-z A-Z 0-9 _ . -`, once in a form. */
  key: string;
  label: string;
  type: FieldType;
  isRequired?: boolean;
  /** The choices of a `select`. */
  options?: string[];
  /** What's shown instead of a choice, by the choice. */
  optionLabels?: Record<string, string>;
  /** Shown in an empty field. */
  placeholder?: string;
}

/** What a field says in another language. Answers are the same in all of them. */
export type FieldTexts = Partial<Pick<FormField, 'label' | 'optionLabels' | 'placeholder'>>;

const MAX_CHOICES = 50;
const MAX_LABEL = 200;
const KEY = /^[\w.-]{1,64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The most code points of the answer to a field; 200 for all other types. */
const LENGTHS: Partial<Record<FieldType, number>> = { text: 500, textarea: 2_000, email: 254, tel: 50 };

/** Describes what is wrong with a form's fields, by a pointer below them; null when nothing is. */
export function findFieldsFault(fields: unknown, min: number, max: number): string | null {
  if (!Array.isArray(fields) || fields.length < min || fields.length > max)
    return ` must be an array of ${min} to ${max} fields`;
  const keys = new Set<unknown>();
  for (const [index, field] of fields.entries()) {
    const fault = findFieldFault(field) ?? (keys.has(field.key) ? '/key must be another than those before it' : null);
    if (fault) return `/${index}${fault}`;
    keys.add(field.key);
  }
  return null;
}

function findFieldFault(field: unknown): string | null {
  if (!isJsonObject(field)) return ' must be {key, label, type}';
  const { key, label, type, isRequired, options, optionLabels, placeholder } = field;
  // As a key, `__proto__` would set an object's prototype.
  if (typeof key !== 'string' || !KEY.test(key) || key === '__proto__')
    return '/key must have 1 to 64 characters of a-z, A-Z, 0-9, _, ., and -';
  const labelFault = findTextFault(label, 1, MAX_LABEL);
  if (labelFault) return `/label ${labelFault}`;
  if (!FIELD_TYPES.includes(type as FieldType)) return `/type must be one of ${FIELD_TYPES.join(', ')}`;
  if (isRequired !== undefined && typeof isRequired !== 'boolean') return '/isRequired must be true or false';
  const textsFault = findTextsFault({ optionLabels, placeholder });
  if (textsFault) return textsFault;
  if (type !== 'select') return options === undefined ? null : '/options belongs to a select';
  const isList = Array.isArray(options) && options.length > 0 && options.length <= MAX_CHOICES;
  return isList && options.every((option) => findTextFault(option, 1, MAX_LABEL) === null)
    ? null
    : `/options must be an array of 1 to ${MAX_CHOICES} texts of 1 to ${MAX_LABEL} characters`;
}

/** Describes what is wrong with the texts of a field, by a pointer below them; null when nothing is. */
export function findTextsFault({ label, optionLabels = {}, placeholder }: Record<string, unknown>): string | null {
  const isTexts =
    isJsonObject(optionLabels) &&
    Object.values(optionLabels).every((text) => findTextFault(text, 1, MAX_LABEL) === null);
  if (!isTexts) return `/optionLabels must be an object of texts of 1 to ${MAX_LABEL} characters`;
  for (const [name, text] of Object.entries({ label, placeholder })) {
    const fault = text === undefined ? null : findTextFault(text, 1, MAX_LABEL);
    if (fault) return `/${name} ${fault}`;
  }
  return null;
}

/** Describes what is wrong with the answers to a form, by a pointer below them; null when nothing is. */
export function findAnswersFault(fields: readonly FormField[], answers: unknown): string | null {
  if (!isJsonObject(answers)) return ' must be an object with the values of the fields';
  const keys = fields.map(({ key }) => key);
  if (!Object.keys(answers).every((key) => keys.includes(key)))
    return ` must have no other keys than ${keys.join(', ')}`;
  for (const field of fields) {
    const fault = findAnswerFault(field, answers[field.key]);
    if (fault) return `/${field.key} ${fault}`;
  }
  return null;
}

function findAnswerFault({ type, options = [], isRequired }: FormField, value: unknown): string | null {
  if (value === undefined) return isRequired ? 'is required' : null;
  if (type === 'checkbox') {
    if (typeof value !== 'boolean') return 'must be true or false';
    return value || !isRequired ? null : 'must be true';
  }
  if (type === 'number') return Number.isFinite(value) ? null : 'must be a number';
  const fault = findTextFault(value, 1, LENGTHS[type] ?? MAX_LABEL);
  if (fault) return fault;
  if (type === 'email') return isEmail(value) ? null : 'must be an email address';
  if (type === 'select') return options.includes(value as string) ? null : 'must be one of the options';
  if (type === 'date') return isDate(value as string) ? null : 'must be a date such as 2026-11-29';
  return null;
}

function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}
