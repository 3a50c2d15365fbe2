/** The days of a week, in the order of the contract. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A time of a day, `HH:MM`. `to` may be `24:00`. If `to` isn't later than `from`, the range ends on the next day. */
export interface HoursRange {
  from: string;
  to: string;
}

/** What holds on one date instead of its weekday's ranges. */
export interface HoursException {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Empty: closed. */
  ranges: HoursRange[];
}

/** When people answer (CONTRACT section 9). */
export interface OfficeHours {
  /** The IANA time zone of all times. */
  timeZone: string;
  /** The ranges that begin on each weekday. */
  week: Record<Weekday, HoursRange[]>;
  exceptions: HoursException[];
}

/** The most ranges of a day, and the most exceptions. */
export const MAX_RANGES = 3;
export const MAX_EXCEPTIONS = 100;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Why a value isn't office hours, with the pointer to its part; null if it is. The time zone has its own check. */
export function findHoursFault(value: unknown): string | null {
  if (!isObject(value)) return 'must be an object, or null';
  const { week, exceptions } = value;
  return findWeekFault(week) ?? findExceptionsFault(exceptions);
}

function findWeekFault(week: unknown): string | null {
  if (!isObject(week)) return '/week must be an object with a list of ranges for each weekday';
  const unknown = Object.keys(week).find((day) => !(WEEKDAYS as readonly string[]).includes(day));
  if (unknown !== undefined) return `/week must have only the keys ${WEEKDAYS.join(', ')}`;
  for (const day of WEEKDAYS) {
    const fault = findRangesFault(week[day] ?? []);
    if (fault) return `/week/${day}${fault}`;
  }
  return null;
}

function findExceptionsFault(given: unknown): string | null {
  const exceptions = given ?? [];
  if (!Array.isArray(exceptions)) return '/exceptions must be an array';
  if (exceptions.length > MAX_EXCEPTIONS) return `/exceptions must have at most ${MAX_EXCEPTIONS} entries`;
  const dates = new Set<unknown>();
  for (const [at, exception] of exceptions.entries()) {
    if (!isObject(exception)) return `/exceptions/${at} must be an object`;
    const { date, ranges } = exception;
    if (!isDate(date)) return `/exceptions/${at}/date must be a day like 2026-12-24`;
    if (dates.has(date)) return `/exceptions/${at}/date must be different from the other dates`;
    dates.add(date);
    const fault = findRangesFault(ranges);
    if (fault) return `/exceptions/${at}/ranges${fault}`;
  }
  return null;
}

function findRangesFault(ranges: unknown): string | null {
  if (!Array.isArray(ranges)) return ' must be an array';
  if (ranges.length > MAX_RANGES) return ` must have at most ${MAX_RANGES} entries`;
  for (const [at, range] of ranges.entries()) {
    if (!isObject(range)) return `/${at} must be an object with from and to`;
    const { from, to } = range;
    if (!isTime(from)) return `/${at}/from must be a time like 09:00`;
    if (!isTime(to) && to !== '24:00') return `/${at}/to must be a time like 17:00, or 24:00`;
    if (from === to) return `/${at}/to must not be the same as from`;
  }
  return null;
}

/** Fills in what was omitted, in a fixed order. @param given without faults */
export function toOfficeHours({ timeZone, week, exceptions }: GivenHours): OfficeHours {
  const rangesOf = (ranges?: readonly HoursRange[] | null) => (ranges ?? []).map(({ from, to }) => ({ from, to }));
  const days = WEEKDAYS.map((day) => [day, rangesOf(week[day])] as const);
  return {
    timeZone,
    week: Object.fromEntries(days) as OfficeHours['week'],
    exceptions: (exceptions ?? [])
      .map(({ date, ranges }) => ({ date, ranges: rangesOf(ranges) }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

/** Office hours as a request gives them. Null counts as omitted. */
export interface GivenHours {
  timeZone: string;
  week: Partial<Record<Weekday, HoursRange[] | null>>;
  exceptions?: HoursException[] | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);

const DATE = /^\d{4}-\d\d-\d\d$/;

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && DATE.test(value) && value >= '1970' && isRealDay(value);

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
