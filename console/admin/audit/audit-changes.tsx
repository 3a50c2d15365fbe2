import { adminStrings } from '../../locales/admin-strings.js';
import { locale } from '../../locales/strings.js';
import type { FieldChange, OfficeHours } from '../api.js';
import { hoursWords } from '../form/hours.js';

/** The changed fields, each with its old and new value. */
export function Changes({ changes }: { changes: readonly FieldChange[] }) {
  const text = adminStrings.value;
  if (changes.length === 0) return null;
  return (
    <ul class="changes">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <b>{fieldName(field)}</b>
          <Value value={from} /> <span aria-hidden="true">→</span>
          <span class="hidden">{text.changedTo}</span> <Value value={to} />
        </li>
      ))}
    </ul>
  );
}

export function fieldName(field: string): string {
  return (adminStrings.value.changedField as Record<string, string>)[field] ?? field;
}

/** A value of a field, on one line. */
export function Value({ value }: { value: unknown }) {
  const words = wordsOf(value);
  return (
    <bdi class="value" title={words}>
      {words}
    </bdi>
  );
}

/** A value in words; lists are separated by commas. */
function wordsOf(value: unknown): string {
  const text = adminStrings.value;
  if (value === null || value === '') return text.nothingSet;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (Array.isArray(value)) return value.length === 0 ? text.nothingSet : value.map(wordsOf).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('week' in value) return hoursWords(value as OfficeHours, locale.value);
  const { name, id } = value as { name?: string | null; id?: string };
  return name ?? id ?? JSON.stringify(value);
}
