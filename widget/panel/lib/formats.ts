const DAY = 86_400_000;

/** Formats times and days for a locale. */
export interface Formats {
  time(at: string): string;
  /** "Today", "Yesterday", a date. */
  day(at: string): string;
}

/** Each format is made when it is first needed: that takes tens of milliseconds, for which an empty panel need not wait. */
export function createFormats(locale: string): Formats {
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  return {
    time: (at) => time().format(new Date(at)),
    day: (at) => {
      const days = Math.round((dayOf(at) - dayOf(Date.now())) / DAY);
      return days > -2 ? relative().format(days, 'day') : date().format(new Date(at));
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** The start of the day in the visitor's time zone, in milliseconds. */
export function dayOf(at: string | number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
