import type { WidgetSettings } from '../api.js';

/** The settings as form values: '' for the default, and one list entry per line. */
export interface Values {
  name: string;
  greeting: string;
  greets: 'inside' | 'outside';
  greetingAfterSeconds: number;
  greetingPaths: string;
  color: string;
  colorText: string;
  theme: '' | 'auto' | 'light' | 'dark';
  position: '' | 'right' | 'left';
  locale: string;
  sound: 'on' | 'off';
  privacyUrl: string;
  consent: string;
  askName: Asking;
  askEmail: Asking;
  officeHours: string;
  questions: string;
  rating: 'on' | 'off';
  person: 'never' | 'offered';
  personAfter: number;
  pageContext: 'on' | 'off';
}

type Asking = '' | 'optional' | 'required';

export function toValues(stored: WidgetSettings): Values {
  const { greetingAfterSeconds, sound, rating, personAfter, pageContext } = stored;
  return {
    name: stored.name ?? '',
    greeting: stored.greeting ?? '',
    greets: greetingAfterSeconds === null ? 'inside' : 'outside',
    greetingAfterSeconds: greetingAfterSeconds ?? 10,
    greetingPaths: stored.greetingPaths.join('\n'),
    color: stored.color ?? '',
    colorText: stored.colorText ?? '',
    theme: stored.theme === 'auto' ? '' : (stored.theme ?? ''),
    position: stored.position ?? '',
    locale: stored.locale ?? '',
    sound: sound ? 'on' : 'off',
    privacyUrl: stored.privacyUrl ?? '',
    consent: stored.consent ?? '',
    askName: stored.askName ?? '',
    askEmail: stored.askEmail ?? '',
    officeHours: stored.officeHours ?? '',
    questions: stored.questions.join('\n'),
    rating: rating ? 'on' : 'off',
    person: personAfter === null ? 'never' : 'offered',
    personAfter: personAfter ?? 0,
    pageContext: pageContext ? 'on' : 'off',
  };
}

export function toSettings({ greets, person, ...values }: Values): WidgetSettings {
  return {
    name: values.name.trim() || null,
    greeting: values.greeting.trim() || null,
    greetingAfterSeconds: greets === 'inside' ? null : values.greetingAfterSeconds,
    greetingPaths: linesOf(values.greetingPaths),
    color: values.color.trim() || null,
    colorText: values.colorText.trim() || null,
    theme: values.theme || null,
    position: values.position || null,
    locale: values.locale || null,
    sound: values.sound === 'on',
    privacyUrl: values.privacyUrl.trim() || null,
    consent: values.consent.trim() || null,
    askName: values.askName || null,
    askEmail: values.askEmail || null,
    officeHours: values.officeHours.trim() || null,
    questions: linesOf(values.questions),
    rating: values.rating === 'on',
    personAfter: person === 'never' ? null : values.personAfter,
    pageContext: values.pageContext === 'on',
  };
}

export function linesOf(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
