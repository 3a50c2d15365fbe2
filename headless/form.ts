import type { Message } from './types.js';

const FIELD_TYPES = ['text', 'textarea', 'email', 'tel', 'number', 'date', 'select', 'checkbox'] as const;

/** A field of a form. */
export interface FormField {
  key: string;
  label: string;
  type: (typeof FIELD_TYPES)[number];
  isRequired: boolean;
  /** The choices of a `select`; of others empty. */
  options: string[];
  /** What is shown for each of `options`. */
  optionLabels: string[];
  /** Shown in an empty field. */
  placeholder?: string;
}

/** A form that a message asks the visitor to fill in. */
export interface Form {
  title?: string;
  /** What its button says. */
  submit?: string;
  fields: FormField[];
}

/** The answers to a form, by the keys of its fields; what was left empty is missing. */
export type Answers = Record<string, string | number | boolean>;

const MAX_FIELDS = 10;

/** The form of a bot's or an agent's BUTTON message (CONTRACT: Messages); undefined without one, or if it's malformed. */
export function formOf({ type, metadata, sender }: Message): Form | undefined {
  const given = metadata?.form as Record<string, unknown> | null | undefined;
  if (type !== 'BUTTON' || (sender.type !== 'BOT' && sender.type !== 'AGENT') || !given) return undefined;
  const fields = fieldsIn(given.fields);
  if (fields.length === 0) return undefined;
  return { title: textIn(given.title), submit: textIn(given.submit), fields };
}

/** Reads a list of fields, such as `formFields` of the settings, which may have any form. Leaves malformed ones out. */
export function fieldsIn(given: unknown): FormField[] {
  return Array.isArray(given) ? given.flatMap(toField).slice(0, MAX_FIELDS) : [];
}

function toField(given: unknown): FormField[] {
  const { key, label, type, isRequired, options, optionLabels, placeholder } = (given ?? {}) as Record<string, unknown>;
  const known = FIELD_TYPES.find((name) => name === type);
  if (typeof key !== 'string' || typeof label !== 'string' || !known) return [];
  const choices = Array.isArray(options)
    ? options.filter((option): option is string => typeof option === 'string')
    : [];
  const labels = new Map<string, unknown>(Object.entries(optionLabels ?? {}));
  const shown = choices.map((choice) => textIn(labels.get(choice)) ?? choice);
  return [
    {
      key,
      label,
      type: known,
      isRequired: isRequired === true,
      options: choices,
      optionLabels: shown,
      placeholder: textIn(placeholder),
    },
  ];
}

function textIn(given: unknown): string | undefined {
  return typeof given === 'string' && given.trim() ? given : undefined;
}

/** The answers as words: a line for each, with its label. */
export function wordsOf(fields: readonly FormField[], answers: Answers): string {
  const lines = fields.map(({ key, label, options, optionLabels }) => {
    const given = Object.hasOwn(answers, key) ? answers[key] : undefined;
    const answer = optionLabels[options.indexOf(given as string)] ?? given;
    return answer === undefined || answer === false ? '' : `${label}: ${answer === true ? '✓' : answer}`;
  });
  return lines.filter(Boolean).join('\n');
}
