import { findTimeZone, knownTimeZone, ZoneClock } from '../platform/locale/time-zone.js';

/** The days of a week, in the order of the contract. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A time of a day, `HH:MM`. `to` may be `24:00`. If `to` isn't later than `from`, the range ends on the next day. */
export interface HoursRange {
  from: string;
  to: string;
}

/** The ranges of one date, instead of its weekday's. */
export interface HoursException {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Empty: closed. */
  ranges: HoursRange[];
}

/** When people answer (CONTRACT: Office hours). */
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

/** Fills in what was omitted, in a fixed order, and spells the time zone as usual. @param given without faults */
export function toOfficeHours({ timeZone, week, exceptions }: GivenHours): OfficeHours {
  const rangesOf = (ranges?: readonly HoursRange[] | null) => (ranges ?? []).map(({ from, to }) => ({ from, to }));
  const days = WEEKDAYS.map((day) => [day, rangesOf(week[day])] as const);
  return {
    timeZone: findTimeZone(timeZone)!,
    week: Object.fromEntries(days) as OfficeHours['week'],
    exceptions: (exceptions ?? [])
      .map(({ date, ranges }) => ({ date, ranges: rangesOf(ranges) }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

/** The current or next open span, and when the one after it begins. Null: not within the next days. */
export interface Opening {
  opensAt: Date;
  closesAt: Date;
  reopensAt: Date | null;
}

/** How many days ahead are searched. Exceptions are found on any date. */
const DAYS_AHEAD = 8;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** When the hours are open, from `now` on; null: never. */
export function findOpening(hours: OfficeHours, now: Date): Opening | null {
  const [first, second] = spansOf(hours, now).filter(([, end]) => end > now.getTime());
  if (!first) return null;
  const [opensAt, closesAt] = [new Date(first[0]), new Date(first[1])];
  return { opensAt, closesAt, reopensAt: second ? new Date(second[0]) : null };
}

type Span = [begin: number, end: number];

// A range that crosses midnight began on the day before, and one that touches the next belongs to it.
function spansOf({ timeZone, week, exceptions }: OfficeHours, now: Date): Span[] {
  const clock = new ZoneClock(knownTimeZone(timeZone));
  const today = clock.dayAt(now.getTime());
  const rangesOf = new Map(exceptions.map(({ date, ranges }) => [Date.parse(date), ranges]));
  const near = Array.from({ length: DAYS_AHEAD + 3 }, (_, at) => today + (at - 2) * DAY_MS);
  const days = new Set([...near, ...[...rangesOf.keys()].filter((day) => day > today)]);
  const spans = [...days].flatMap((day) =>
    (rangesOf.get(day) ?? week[weekdayOf(day)]).map((range) => spanOf(range, day, clock)),
  );
  return merge(spans.filter(([begin, end]) => begin < end));
}

const weekdayOf = (day: number): Weekday => WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7]!;

function spanOf({ from, to }: HoursRange, day: number, clock: ZoneClock): Span {
  const end = day + minutesOf(to) * MINUTE_MS + (to <= from ? DAY_MS : 0);
  return [clock.instantOf(day + minutesOf(from) * MINUTE_MS), clock.instantOf(end)];
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Spans in order, overlapping and touching ones as one. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const [begin, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
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
