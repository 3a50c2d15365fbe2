import type { Host } from '../../types.js';

const DAY_MS = 86_400_000;
/** From this difference on, in milliseconds, the visitor's clock is wrong. A smaller one may come from the cache. */
const WRONG_MS = 600_000;

/** Formats times and days for a locale. */
export interface Formats {
  time(at: string): string;
  /** "Today", "Yesterday", a date. */
  day(at: string): string;
  /** A future time: today's time, a weekday and a time, or a date and a time. */
  moment(at: string): string;
}

/** A language with the region that the browser has for it: `en-GB` for `en`. */
export function regional(locale: string): string {
  return navigator.languages.find((tag) => tag.startsWith(`${locale}-`)) ?? locale;
}

/**
 * Creates each format when it's first needed: that takes tens of milliseconds, and an empty panel doesn't wait for it.
 * @param now in milliseconds, by the service's clock
 */
export function createFormats(language: string, now: () => number): Formats {
  const locale = regional(language);
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const inWeek = once(() => new Intl.DateTimeFormat(locale, { weekday: 'long', hour: 'numeric', minute: '2-digit' }));
  const later = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const daysFromToday = (at: string) => Math.round((dayOf(at) - dayOf(now())) / DAY_MS);
  return {
    moment: (at) => {
      const days = daysFromToday(at);
      return (days <= 0 ? time() : days < 7 ? inWeek() : later()).format(new Date(at));
    },
    time: (at) => time().format(new Date(at)),
    day: (at) => {
      const days = daysFromToday(at);
      return days > -2 ? relative().format(days, 'day') : date().format(new Date(at));
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** What to add to the visitor's clock, in milliseconds. */
export function correctionOf({ ahead = 0 }: Host): number {
  return Math.abs(ahead) > WRONG_MS ? ahead : 0;
}

/** The start of the day in the visitor's time zone, in milliseconds. */
export function dayOf(at: string | number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
