const DAY = 86_400_000;

/** How times and days are said in a locale. */
export interface Formats {
  time(at: string): string;
  /** "Today", "Yesterday", a day of this week, a date. */
  day(at: string): string;
}

export function createFormats(locale: string): Formats {
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    time: (at) => time.format(new Date(at)),
    day: (at) => {
      const days = Math.round((dayOf(at) - dayOf(Date.now())) / DAY);
      if (days > -2) return relative.format(days, 'day');
      const isRecent = days > -7;
      const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
      return new Intl.DateTimeFormat(locale, {
        weekday: isRecent ? 'long' : undefined,
        day: isRecent ? undefined : 'numeric',
        month: isRecent ? undefined : 'long',
        year: isThisYear ? undefined : 'numeric',
      }).format(new Date(at));
    },
  };
}

/** The visitor's own midnight before a moment, in milliseconds. */
export function dayOf(at: string | number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
