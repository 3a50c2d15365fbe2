import type { WidgetSettings } from '../api.js';
import { linesOf } from './lines.js';

type FormField = WidgetSettings['formFields'][number];
type FieldTexts = NonNullable<WidgetSettings['translations'][string]['formFields']>;

export const FIELD_TYPES = ['text', 'textarea', 'select', 'checkbox', 'tel', 'email', 'number', 'date'] as const;

/** A field of the form before a chat, as it is typed. */
export interface FieldDraft {
  /** The same as long as the field is edited. */
  id: string;
  key: string;
  /** Whether the key doesn't follow the label: it was typed, or the field is stored. */
  isKeyOwn: boolean;
  label: string;
  type: FormField['type'];
  isRequired: boolean;
  /** One per line. */
  options: string;
  optionLabels?: FormField['optionLabels'];
  placeholder: string;
}

/** What a field says in another language, as it is typed. Options are in the order of the field's ones, one per line. */
export interface TextsDraft {
  label: string;
  options: string;
  placeholder: string;
}

export function toDrafts(fields: readonly FormField[]): FieldDraft[] {
  return fields.map(({ key, label, type, isRequired = false, options = [], optionLabels, placeholder = '' }) => {
    return {
      id: key,
      key,
      isKeyOwn: true,
      label,
      type,
      isRequired,
      options: options.join('\n'),
      optionLabels,
      placeholder,
    };
  });
}

let made = 0;

/** The id of a new draft. A removed draft had another one, so its translations don't come back. */
export const newDraftId = (): string => `#${(made += 1)}`;

export function newField(): FieldDraft {
  const rest = { label: '', type: 'text', isRequired: false, options: '', placeholder: '' } as const;
  return { id: newDraftId(), key: '', isKeyOwn: false, ...rest };
}

export function toFormFields(drafts: readonly FieldDraft[]): FormField[] {
  return drafts.map(({ key, label, type, isRequired, options, optionLabels, placeholder }) => ({
    key: key.trim(),
    label: label.trim(),
    type,
    ...(isRequired && { isRequired }),
    ...(type === 'select' && { options: linesOf(options), ...(optionLabels && { optionLabels }) }),
    ...(placeholder.trim() && { placeholder: placeholder.trim() }),
  }));
}

/** A key in the words of the label: letters and digits of ASCII without accents, and one that no other field has. */
export function keyFor(label: string, others: readonly FieldDraft[]): string {
  const plain = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const wanted = words.join('_').slice(0, 60) || 'field';
  const isTaken = (key: string) => RESERVED.includes(key) || others.some((other) => other.key === key);
  let key = wanted;
  for (let number = 2; isTaken(key); number++) key = `${wanted}_${number}`;
  return key;
}

/** What the widget itself stores in a chat's metadata. */
const RESERVED = ['url', 'title', 'referrer', 'language', 'timeZone', 'screen', 'proactiveMessage'];

/** The texts of the fields in a language, by the ids of the fields' drafts. */
export function toTextsDrafts(texts: FieldTexts = {}, fields: readonly FormField[]): Record<string, TextsDraft> {
  const entries = fields.map(({ key, options = [] }) => {
    const { label = '', placeholder = '', optionLabels } = texts[key] ?? {};
    return [
      key,
      { label, placeholder, options: options.map((option) => optionLabels?.[option] ?? '').join('\n') },
    ] as const;
  });
  return Object.fromEntries(entries);
}

export function toFieldTexts(drafts: Record<string, TextsDraft>, fields: readonly FieldDraft[]): FieldTexts {
  const entries = toFormFields(fields).map(({ key, options = [] }, at) => {
    const { label = '', placeholder = '', options: typed = '' } = drafts[fields[at]!.id] ?? {};
    const lines = typed.split('\n').map((line) => line.trim());
    const named = options.map((option, line) => [option, lines[line]] as const).filter(([, line]) => line);
    const texts = {
      ...(label.trim() && { label: label.trim() }),
      ...(placeholder.trim() && { placeholder: placeholder.trim() }),
      ...(named.length > 0 && { optionLabels: Object.fromEntries(named) as Record<string, string> }),
    };
    return [key, texts] as const;
  });
  return Object.fromEntries(entries.filter(([, texts]) => Object.keys(texts).length > 0));
}
