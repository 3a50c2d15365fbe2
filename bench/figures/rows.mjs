import { median } from './stats.mjs';

/**
 * A row of the table. `ours` and `theirs` are `{name, values}`, with the figures of the rounds. The ratio of their medians must be at
 * least `atLeast`, and ideally `aim`, or at most these if less is better. Null: no requirement.
 */
export function row({ key, measure, unit, ours, theirs, atLeast, aim, isLessBetter = false }) {
  const [our, their] = [ours, theirs].map(({ name, values }) => ({ name, values, median: median(values) }));
  const ratio = our.median / their.median;
  const reaches = (bound) => bound === null || (isLessBetter ? ratio <= bound : ratio >= bound);
  const reached = isReached(atLeast, aim, reaches);
  return { key, measure, unit, ours: our, theirs: their, ratio, atLeast, aim, isLessBetter, reached };
}

function isReached(atLeast, aim, reaches) {
  if (aim === null) return '';
  if (reaches(aim)) return 'aim';
  if (atLeast === null) return 'not the aim';
  return reaches(atLeast) ? 'yes' : 'NO';
}

/** The cells of a row as text, for the terminal and the page. */
export function cells({ measure, unit, ours, theirs, ratio, atLeast, aim, isLessBetter, reached }) {
  const bound = (value) => (value === null ? '' : `${isLessBetter ? '≤' : '≥'} ${value}`);
  const figure = (side) => `${number(side.median)} ${unit}`;
  const sides = [figure(ours), `${figure(theirs)} (${theirs.name})`];
  return [measure, ...sides, ratio.toFixed(2), bound(atLeast) || 'report', bound(aim), reached];
}

export const TITLES = ['measure', 'Parley', 'against', 'ratio', 'at least', 'aim', 'reached'];

/** Rounds to three significant digits. */
export function number(value) {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
