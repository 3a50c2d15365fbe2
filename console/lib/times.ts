import { locale, strings } from '../locales/strings.js';

const DAY_MS = 86_400_000;

/** Formats in the page's language and the browser's time zone, by their options. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale.value} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale.value, options);
  formats.set(key, known);
  return known;
}

/**
 * Creates the first format of a language in a worker. That takes 0.1 s on a slow computer, and the browser shares what it loads
 * with all threads. If the browser refuses the worker, the format is created later.
 */
export function prepareTimes(name: string): void {
  try {
    new Worker(new URL('./times-worker.ts', import.meta.url), { type: 'module', name });
  } catch {}
}

/** 14:03 */
export function clockTime(iso: string): string {
  return format({ hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

export function fullTime(iso: string): string {
  return format({ dateStyle: 'full', timeStyle: 'medium' }).format(new Date(iso));
}

/** Adds the full time as a title when the pointer enters an element. There are many elements, and few are hovered. */
export function withFullTime(iso: string) {
  return {
    onPointerEnter: ({ currentTarget }: { currentTarget: HTMLElement }) => void (currentTarget.title = fullTime(iso)),
  };
}

/** Thu, 15 Jan, 9:00 */
export function dayAndTime(iso: string): string {
  return format({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }).format(
    new Date(iso),
  );
}

export function shortDate(iso: string): string {
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso));
}

/** The start of a day in the browser's time zone, and the start of the next. */
export function dayAround(iso: string): { begin: string; end: string } {
  const [begin, end] = [0, 1].map((more) => new Date(startOfDay(iso, more)).toISOString()) as [string, string];
  return { begin, end };
}

function startOfDay(time: string | number, more = 0): number {
  const moment = new Date(time);
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + more).getTime();
}

/** Today, Yesterday, or the date. */
export function dayName(iso: string, now: number): string {
  const day = startOfDay(iso);
  if (day === startOfDay(now)) return strings.value.today;
  if (day === startOfDay(now, -1)) return strings.value.yesterday;
  const isThisYear = new Date(iso).getFullYear() === new Date(now).getFullYear();
  const more: Intl.DateTimeFormatOptions = isThisYear ? {} : { year: 'numeric' };
  return format({ weekday: 'long', day: 'numeric', month: 'long', ...more }).format(new Date(iso));
}

/** The time for today, the weekday for this week, or the date. */
export function listTime(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (startOfDay(iso) === startOfDay(now)) return clockTime(iso);
  if (age < 6 * DAY_MS) return format({ weekday: 'short' }).format(new Date(iso));
  return format({ day: 'numeric', month: 'numeric', year: '2-digit' }).format(new Date(iso));
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago" */
export function ago(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const relative = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' });
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 60];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** 0:42, 12:05, 3:07 h, or days. */
export function duration(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds));
  if (total >= 86_400) return length(Math.floor(total / 86_400), 'day');
  const two = (number: number) => String(number).padStart(2, '0');
  if (total >= 3_600) return `${Math.floor(total / 3_600)}:${two(Math.floor(total / 60) % 60)} h`;
  return `${Math.floor(total / 60)}:${two(total % 60)}`;
}

/** "40 seconds" or "3 minutes", rounded up. */
export function waitTime(seconds: number): string {
  return seconds < 60 ? length(Math.ceil(seconds), 'second') : length(Math.ceil(seconds / 60), 'minute');
}

function length(count: number, unit: string): string {
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
