import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { locale, strings } from '../../locales/strings.js';
import { groups } from '../../state/inbox/counts.js';
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
          <b>{fieldName(field)}</b>{' '}
          {!isNothing(from) && (
            <>
              <Value value={from} field={field} /> <span aria-hidden="true">→</span>
              <span class="hidden">{text.changedTo}</span>{' '}
            </>
          )}
          <Value value={to} field={field} />
        </li>
      ))}
    </ul>
  );
}

export function fieldName(field: string): string {
  return (adminStrings.value.changedField as Record<string, string>)[field] ?? field;
}

/** A value on one line. @param field whose choices have words */
export function Value({ value, field }: { value: unknown; field?: string }) {
  const words = wordsOf(value, choicesOf(field));
  return (
    <bdi class="value" title={words}>
      {words}
    </bdi>
  );
}

function isNothing(value: unknown): value is null | '' | [] {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

type Choices = Readonly<Record<string, string>>;

/** The words of a field's choices, as its form shows them. */
function choicesOf(field?: string): Choices {
  const { role, routing, onUnansweredChoice, sender, themes, widget, ...text } = adminStrings.value;
  const asking = { optional: widget.askOptional, required: widget.askRequired };
  const all: Record<string, Choices> = {
    role,
    routing,
    onUnanswered: onUnansweredChoice,
    senderTypes: sender,
    theme: themes,
    position: { left: text.leftSide, right: text.right },
    launcherIcon: widget.icons,
    askName: asking,
    askEmail: asking,
    action: { CLOSE: strings.value.thenCloses, TRANSFER: strings.value.transferNow },
    groupId: groupNames(),
    actionGroupId: groupNames(),
  };
  return (field && all[field]) || {};
}

const groupNames = (): Choices => Object.fromEntries(groups.value.map(({ id, name }) => [id, name]));

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** A value in words; lists are separated by commas. */
function wordsOf(value: unknown, choices: Choices = {}): string {
  const text = adminStrings.value;
  if (isNothing(value)) return text.nothingSet;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, choices)).join(', ');
  if (typeof value === 'string') return choices[value] ?? (TIME.test(value) ? fullTime(value) : value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('week' in value) return hoursWords(value as OfficeHours, locale.value);
  const { name, id, provider, siteKey } = value as Partial<Record<string, string | null>>;
  if (provider) return `${provider} ${siteKey}`;
  return name ?? id ?? JSON.stringify(value);
}
