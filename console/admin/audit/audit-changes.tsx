import { isSame } from '../../lib/merge.js';
import { languageName } from '../../lib/names.js';
import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { locale, strings } from '../../locales/strings.js';
import { groups } from '../../state/inbox/counts.js';
import type { FieldChange, OfficeHours } from '../api.js';
import { hoursParts, hoursWords } from '../form/hours.js';

/** The changed fields, each with its old and new value. @param kind the kind of resource, such as `widget` */
export function Changes({ kind, changes }: { kind: string; changes: readonly FieldChange[] }) {
  const text = adminStrings.value;
  if (changes.length === 0) return null;
  return (
    <ul class="changes">
      {changes
        .flatMap(byLanguage)
        .flatMap(byDay)
        .map(({ field, from, to }, index) => (
          <li key={index}>
            <b>{fieldName(field, kind)}</b>{' '}
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

/** A field's label in its form, or its name in the API. @param kind the kind of resource, such as `widget` */
export function fieldName(field: string, kind: string): string {
  const { changedField, widget, url, senders, content, replyFor, mail } = adminStrings.value;
  const ofKind: Record<string, Record<string, unknown>> = {
    widget: { ...widget, questions: changedField.questions, personAfter: widget.person },
    webhook: { url, senderTypes: senders },
    reply: { content, groupId: replyFor },
    organization: { ...mail, missedAfterSeconds: mail.missed, logoUrl: mail.logo },
  };
  return ((ofKind[kind]?.[field] ?? (changedField as Record<string, string>)[field]) as string | undefined) ?? field;
}

/** A value: on one line, or one for each language. @param field whose choices have words */
export function Value({ value, field }: { value: unknown; field?: string }) {
  const lines =
    field === 'translations' && isTranslated(value)
      ? Object.entries(value).map(([language, texts]) => `${languageName(language)}: ${textsWords(texts)}`)
      : [wordsIn(field, value)];
  return lines.map((words) => (
    <bdi class="value" key={words} title={words}>
      {words}
    </bdi>
  ));
}

interface Changed {
  field: string;
  from: unknown;
  to: unknown;
}

type Translated = Record<string, Record<string, unknown>>;

// A value that's too long for the log is a text.
const isTranslated = (value: unknown): value is Translated => typeof value === 'object' && !isNothing(value);

/** Changed translations as one change for each language. */
function byLanguage(change: Changed): Changed[] {
  const { field, from, to } = change;
  if (field !== 'translations' || !(isTranslated(from) || isNothing(from)) || !(isTranslated(to) || isNothing(to)))
    return [change];
  const [then, now] = [from, to].map((value) => (value ?? {}) as Translated) as [Translated, Translated];
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((language) => !isSame(then[language], now[language]))
    .map((language) => {
      const of = (all: Translated) => (all[language] ? { [language]: all[language] } : null);
      return { field, from: of(then), to: of(now) };
    });
}

/** Changed office hours as one change for each day. */
function byDay(change: Changed): Changed[] {
  const { field, from, to } = change;
  if (!isHours(from) || !isHours(to)) return [change];
  const [then, now] = [from, to].map((hours) => hoursParts(hours, locale.value)) as [HoursParts, HoursParts];
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((day) => then.get(day) !== now.get(day))
    .map((day) => ({ field, from: then.get(day) ?? null, to: now.get(day) ?? null }));
}

type HoursParts = ReturnType<typeof hoursParts>;

const isHours = (value: unknown): value is OfficeHours =>
  typeof value === 'object' && value !== null && 'week' in value;

/** The texts of a language, each with its name. */
function textsWords(texts: Record<string, unknown>): string {
  return Object.entries(texts)
    .map(([field, value]) => `${fieldName(field, 'widget')}: ${wordsOf(value)}`)
    .join(' · ');
}

function isNothing(value: unknown): value is null | '' | [] {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** A value in the words of its field. */
function wordsIn(field: string | undefined, value: unknown): string {
  if (typeof value === 'string' && value !== '') {
    if (field === 'locale' || field === 'language') return languageName(value);
    // The address of a picture says nothing.
    if (field === 'launcherPicture' || field === 'botPicture') return adminStrings.value.widget.picture;
  }
  return wordsOf(value, choicesOf(field));
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
    transcript: text.mail.transcriptRule,
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
  if (isHours(value)) return hoursWords(value as OfficeHours, locale.value);
  const { name, label, id, provider, siteKey } = value as Partial<Record<string, string | null>>;
  if (provider) return `${provider} ${siteKey}`;
  return name ?? label ?? id ?? JSON.stringify(value);
}
