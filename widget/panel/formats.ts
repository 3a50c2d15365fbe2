const DAY = 86_400_000;

/** Formats times and days for a locale. */
export interface Formats {
  time(at: string): string;
  /** "Today", "Yesterday", a date. */
  day(at: string): string;
}

export function createFormats(locale: string): Formats {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    time: (at) => time.format(new Date(at)),
    day: (at) => {
      const days = Math.round((dayOf(at) - dayOf(Date.now())) / DAY);
      return days > -2 ? relative.format(days, 'day') : date.format(new Date(at));
    },
  };
}

/** The start of the day in the visitor's time zone, in milliseconds. */
export function dayOf(at: string | number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
