import { serverNow } from '../../state/clock.js';
import type { OfficeHours, Organization } from '../api.js';

/** The days of a week, in the order of the service. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type HoursRange = OfficeHours['week']['monday'][number];

/** The service's limits. */
export const MAX_RANGES = 3;
export const MAX_EXCEPTIONS = 100;

/** The values of a form with office hours. What was entered stays while hours are switched off. */
export interface HoursValues {
  hasHours: 'no' | 'yes';
  officeHours: OfficeHours;
}

/** @param organization whose time zone new hours start with */
export function toHoursValues(stored: OfficeHours | null, organization?: Zoned): HoursValues {
  return { hasHours: stored ? 'yes' : 'no', officeHours: stored ?? usual(zoneOf(organization)) };
}

type Zoned = Pick<Organization, 'timeZone' | 'officeHours'>;

/** The time zone of the organization, or of the browser while no one has chosen one: organizations begin with UTC. */
function zoneOf(organization?: Zoned): string {
  const { timeZone = 'UTC', officeHours } = organization ?? {};
  if (officeHours) return officeHours.timeZone;
  return timeZone === 'UTC' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
}

/** The field as a PATCH sends it. */
export function toHoursField({ hasHours, officeHours }: HoursValues): { officeHours: OfficeHours | null } {
  if (hasHours === 'no') return { officeHours: null };
  const exceptions = officeHours.exceptions.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return { officeHours: { ...officeHours, exceptions } };
}

/** Monday to Friday, 9 to 5. */
function usual(timeZone: string): OfficeHours {
  const days = DAYS.map((day, at) => [day, at < 5 ? [{ from: '09:00', to: '17:00' }] : []] as const);
  return { timeZone, week: Object.fromEntries(days) as unknown as OfficeHours['week'], exceptions: [] };
}

// A field of a time has no 24:00.
export const shownEnd = (to: string): string => (to === '24:00' ? '00:00' : to);
export const storedEnd = (to: string): string => (to === '00:00' ? '24:00' : to);

/** A range after the others of its day. */
export function nextRange(ranges: readonly HoursRange[]): HoursRange {
  const last = ranges.at(-1)?.to;
  return last && last < '18:00' ? { from: last, to: '18:00' } : { from: '09:00', to: '17:00' };
}

/** Whether two ranges of a day have a time in common. */
export function overlap(ranges: readonly HoursRange[]): boolean {
  const sorted = ranges.filter(({ from, to }) => from && to).toSorted((one, other) => (one.from < other.from ? -1 : 1));
  // A range that ends before it starts ends on the next day.
  return sorted.some(({ from, to }, at) => at < sorted.length - 1 && (to <= from || sorted[at + 1]!.from < to));
}

/** Whether a date is over in a time zone, as the service's clock has it. */
export function isOver(date: string, timeZone: string): boolean {
  return date !== '' && date < new Intl.DateTimeFormat('en-CA', { timeZone }).format(serverNow());
}

/** A date for a new exception: tomorrow, or the day after the last one. */
export function nextDate(exceptions: OfficeHours['exceptions']): string {
  const last = exceptions
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  const base = last ? new Date(`${last}T00:00:00Z`) : new Date(serverNow());
  return new Date(base.getTime() + 86_400_000).toISOString().slice(0, 10);
}

/** 5 January 1970 was a Monday. */
export function dayName(day: (typeof DAYS)[number], locale: string): string {
  const date = new Date(Date.UTC(1970, 0, 5 + DAYS.indexOf(day)));
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(date);
}

/** Office hours in one line: the days that have times, exceptions, and the time zone. */
export function hoursWords(hours: OfficeHours, locale: string): string {
  return [...hoursParts(hours, locale).values()].join('; ');
}

/** The same by day, date, and `timeZone`. */
export function hoursParts({ timeZone, week, exceptions }: OfficeHours, locale: string): Map<string, string> {
  const times = (ranges: readonly HoursRange[]) => ranges.map(({ from, to }) => `${from}–${to}`).join(', ') || '–';
  const days = DAYS.filter((day) => week[day].length > 0);
  return new Map([
    ...days.map((day) => [day, `${dayName(day, locale)} ${times(week[day])}`] as const),
    ...exceptions.map(({ date, ranges }) => [date, `${date} ${times(ranges)}`] as const),
    ['timeZone', timeZone],
  ]);
}
