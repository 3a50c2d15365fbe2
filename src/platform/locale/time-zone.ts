import { Logger } from '@nestjs/common';

// Only Node.js computes with time zones: a database may know other names, or none of the old ones that
// browsers report (Asia/Calcutta).

const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;

// ICU also accepts abbreviations. They aren't IANA names, and people use most of them for several time zones.
const ABBREVIATION = /^(?:systemv\/.*|(?!(?:cet|eet|est|gmt|hst|met|mst|prc|roc|rok|uct|utc|wet)$)[a-z]{3})$/i;

// Words of names that don't begin with a capital letter followed by small ones.
const WORDS = new Map(
  `ACT au BajaNorte BajaSur CDT CET CHAT ComodRivadavia CST DeNoronha DumontDUrville EasterIsland EDT EET es EST GB GMT HST IN LHI
  McMurdo MDT MET MST NSW NZ of PDT PRC PST ROC ROK SU UCT US UTC WET`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

/** The IANA name of a time zone in its usual spelling, from one in upper or lower case; null if Node.js doesn't know it. */
export function findTimeZone(text: string): string | null {
  if (ABBREVIATION.test(text) || /^[+-]/.test(text)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    return null;
  }
  return text.toLowerCase().replace(/[a-z]+/g, (word) => WORDS.get(word) ?? word[0]!.toUpperCase() + word.slice(1));
}

const logger = new Logger('TimeZones');
const reported = new Set<string>();

/** A stored time zone, or UTC if this version of Node.js doesn't know it, such as after a downgrade. */
export function knownTimeZone(stored: string): string {
  const known = findTimeZone(stored);
  if (known !== null) return known;
  if (!reported.has(stored)) logger.warn({ timeZone: stored }, 'Node.js does not know a stored time zone: using UTC');
  reported.add(stored);
  return 'UTC';
}

/**
 * The clocks of a time zone. A local time is the number of milliseconds of the UTC time that reads the same, so `Date.UTC` makes it and
 * `getUTC…` reads it.
 */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** @throws RangeError for a time zone that Node.js doesn't know */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** The local midnight that began the day of an instant. */
  dayAt(instant: number): number {
    const local = instant + this.offsetAt(instant);
    return local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
  }

  /**
   * When clocks show a local time. One that clocks skip is moved forward by the change, and of two instants it's the later one.
   */
  instantOf(local: number): number {
    const { before, after } = this.around(local);
    return this.offsetAt(local - after) === after ? local - after : local - before;
  }

  /** When a day begins: its first instant, which isn't 00:00 if clocks skip that. A day that clocks skip begins with the next. */
  startOf(day: number): number {
    const { before, after } = this.around(day);
    if (before === after || this.offsetAt(day - before) === before) return day - before;
    if (this.offsetAt(day - after) === after) return day - after;
    return this.changeBetween(day - after, day - before);
  }

  // No zone is 24 hours from UTC, and none changes twice within two days.
  private around(local: number): { before: number; after: number } {
    return { before: this.offsetAt(local - DAY_MS), after: this.offsetAt(local + DAY_MS) };
  }

  private changeBetween(from: number, to: number): number {
    const before = this.offsetAt(from);
    let [last, first] = [from, to];
    while (first - last > SECOND_MS) {
      const middle = last + Math.floor((first - last) / SECOND_MS / 2) * SECOND_MS;
      if (this.offsetAt(middle) === before) last = middle;
      else first = middle;
    }
    return first;
  }

  /** How much clocks are ahead of UTC at an instant. Formatting takes a few microseconds, and days ask for the same instants. */
  private offsetAt(instant: number): number {
    const known = this.offsets.get(instant);
    if (known !== undefined) return known;
    const [month, day, year, hour, minute, second] = this.format.format(instant).match(/\d+/g)!.map(Number);
    const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
    const offset = local - Math.floor(instant / SECOND_MS) * SECOND_MS;
    this.offsets.set(instant, offset);
    return offset;
  }
}

/** When the days from `first` to `last` (`YYYY-MM-DD`) begin in a time zone, and when the last one ends. */
export function dayLimits(timeZone: string, first: string, last: string): Date[] {
  const clock = new ZoneClock(timeZone);
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return Array.from({ length: (to - from) / DAY_MS + 2 }, (_, day) => new Date(clock.startOf(from + day * DAY_MS)));
}
