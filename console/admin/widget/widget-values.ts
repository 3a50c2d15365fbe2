import type { WidgetSettings } from '../api.js';
import {
  type FieldDraft,
  type TextsDraft,
  toDrafts,
  toFieldTexts,
  toFormFields,
  toTextsDrafts,
} from './field-drafts.js';
import { linesOf } from './lines.js';
import { type MessageDraft, toMessageDrafts, toMessages } from './proactive-values.js';

/** What the widget says in one language, as it is typed. */
export interface TranslatedTexts {
  language: string;
  greeting: string;
  consent: string;
  /** One per line. */
  questions: string;
  /** By the ids of the fields' drafts, which stay when a key is changed. */
  formFields: Record<string, TextsDraft>;
  aiDisclosure: string;
  /** By the ids of the proactive messages' drafts. */
  proactiveMessages: Record<string, string>;
}

/** The settings as form values: '' for the default, and one list entry per line. */
export interface Values {
  name: string;
  greeting: string;
  greets: 'inside' | 'outside';
  greetingAfterSeconds: number;
  greetingPaths: string;
  proactiveMessages: MessageDraft[];
  color: string;
  colorText: string;
  theme: '' | 'auto' | 'light' | 'dark';
  position: '' | 'right' | 'left';
  launcherIcon: '' | NonNullable<WidgetSettings['launcherIcon']>;
  locale: string;
  sound: 'on' | 'off';
  privacyUrl: string;
  consent: string;
  askName: Asking;
  askEmail: Asking;
  formFields: FieldDraft[];
  officeHours: string;
  questions: string;
  translations: TranslatedTexts[];
  rating: 'on' | 'off';
  messageRating: 'on' | 'off';
  person: 'never' | 'offered';
  personAfter: number;
  pageContext: 'on' | 'off';
  cookieDomain: string;
  aiDisclosure: string;
}

type Asking = '' | 'optional' | 'required';

export function toValues(stored: WidgetSettings): Values {
  const { greetingAfterSeconds, sound, rating, messageRating, personAfter, pageContext } = stored;
  return {
    name: stored.name ?? '',
    greeting: stored.greeting ?? '',
    greets: greetingAfterSeconds === null ? 'inside' : 'outside',
    greetingAfterSeconds: greetingAfterSeconds ?? 10,
    greetingPaths: stored.greetingPaths.join('\n'),
    proactiveMessages: toMessageDrafts(stored.proactiveMessages),
    color: stored.color ?? '',
    colorText: stored.colorText ?? '',
    theme: stored.theme === 'auto' ? '' : (stored.theme ?? ''),
    position: stored.position ?? '',
    launcherIcon: stored.launcherIcon ?? '',
    locale: stored.locale ?? '',
    sound: sound ? 'on' : 'off',
    privacyUrl: stored.privacyUrl ?? '',
    consent: stored.consent ?? '',
    askName: stored.askName ?? '',
    askEmail: stored.askEmail ?? '',
    formFields: toDrafts(stored.formFields),
    officeHours: stored.officeHours ?? '',
    questions: stored.questions.join('\n'),
    translations: toTexts(stored),
    rating: rating ? 'on' : 'off',
    messageRating: messageRating ? 'on' : 'off',
    person: personAfter === null ? 'never' : 'offered',
    personAfter: personAfter ?? 0,
    pageContext: pageContext ? 'on' : 'off',
    cookieDomain: stored.cookieDomain ?? '',
    aiDisclosure: stored.aiDisclosure?.text ?? '',
  };
}

export function toSettings({ greets, person, ...values }: Values): WidgetSettings {
  return {
    name: values.name.trim() || null,
    greeting: values.greeting.trim() || null,
    greetingAfterSeconds: greets === 'inside' ? null : values.greetingAfterSeconds,
    greetingPaths: linesOf(values.greetingPaths),
    proactiveMessages: toMessages(values.proactiveMessages),
    color: values.color.trim() || null,
    colorText: values.colorText.trim() || null,
    theme: values.theme || null,
    position: values.position || null,
    launcherIcon: values.launcherIcon || null,
    locale: values.locale || null,
    sound: values.sound === 'on',
    privacyUrl: values.privacyUrl.trim() || null,
    consent: values.consent.trim() || null,
    askName: values.askName || null,
    askEmail: values.askEmail || null,
    formFields: toFormFields(values.formFields),
    officeHours: values.officeHours.trim() || null,
    questions: linesOf(values.questions),
    translations: toTranslations(values),
    rating: values.rating === 'on',
    messageRating: values.messageRating === 'on',
    personAfter: person === 'never' ? null : values.personAfter,
    pageContext: values.pageContext === 'on',
    cookieDomain: values.cookieDomain.trim().toLowerCase() || null,
    aiDisclosure: disclosureOf(values.aiDisclosure),
  };
}

function disclosureOf(typed: string): WidgetSettings['aiDisclosure'] {
  const text = typed.trim();
  return text ? { text } : null;
}

function toTexts({ translations, formFields }: WidgetSettings): TranslatedTexts[] {
  return Object.entries(translations)
    .map(
      ([
        language,
        { greeting = '', consent = '', questions = [], formFields: texts, aiDisclosure, proactiveMessages = {} },
      ]) => ({
        language,
        greeting,
        consent,
        questions: questions.join('\n'),
        formFields: toTextsDrafts(texts, formFields),
        aiDisclosure: aiDisclosure?.text ?? '',
        proactiveMessages,
      }),
    )
    .toSorted((one, other) => one.language.localeCompare(other.language));
}

/** Without the texts of fields and messages that were removed. */
function toTranslations({
  translations,
  formFields: fields,
  proactiveMessages: drafts,
}: Pick<Values, 'translations' | 'formFields' | 'proactiveMessages'>): WidgetSettings['translations'] {
  const entries = translations.map(
    ({ language, greeting, consent, questions, formFields, aiDisclosure, proactiveMessages }) => {
      const lines = linesOf(questions);
      const disclosure = disclosureOf(aiDisclosure);
      const fieldTexts = toFieldTexts(formFields, fields);
      const messages = drafts
        .map(({ draftId, id }) => [id.trim(), proactiveMessages[draftId] ?? ''] as const)
        .filter(([, text]) => text.trim());
      const given = {
        ...(greeting.trim() && { greeting: greeting.trim() }),
        ...(consent.trim() && { consent: consent.trim() }),
        ...(lines.length > 0 && { questions: lines }),
        ...(Object.keys(fieldTexts).length > 0 && { formFields: fieldTexts }),
        ...(disclosure && { aiDisclosure: disclosure }),
        ...(messages.length > 0 && { proactiveMessages: Object.fromEntries(messages) }),
      };
      return [language, given] as const;
    },
  );
  return Object.fromEntries(entries);
}
