import { locale } from '../locales/strings.js';

const UNITS: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** A duration in its two largest units: "42s", "3m 20s", "2h". */
export function span(seconds: number): string {
  const begin = Math.max(
    0,
    UNITS.findIndex(([, size]) => seconds >= size),
  );
  if (seconds < 1) return amount(0, 'second');
  const [unit, size] = UNITS[begin]!;
  const next = UNITS[begin + 1];
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0;
  const words = [amount(Math.floor(seconds / size), unit), ...(next && rest > 0 ? [amount(rest, next[0])] : [])];
  return words.join(' ');
}

function amount(count: number, unit: string): string {
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count);
}

/** An average score to one decimal; a dash for none. */
export function scoreWords(score: number | null): string {
  if (score === null) return '–';
  return new Intl.NumberFormat(locale.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(score);
}
