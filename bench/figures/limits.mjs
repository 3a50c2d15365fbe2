import { number } from './rows.mjs';
import { median } from './stats.mjs';

/**
 * A figure with a limit of its own, where there is no other side: the median of the rounds' values. It holds when it is at
 * least `atLeast`, at most `atMost` or less than `below`; null: it is only reported.
 */
export function limit({ measure, unit, values, atLeast = null, atMost = null, below = null }) {
  const value = median(values);
  const isWithin = (atLeast ?? -Infinity) <= value && value <= (atMost ?? Infinity) && value < (below ?? Infinity);
  const bounds = Object.entries({ '≥': atLeast, '≤': atMost, '<': below }).filter(([, bound]) => bound !== null);
  const holds = bounds.length === 0 ? '' : isWithin ? 'yes' : 'NO';
  return { measure, unit, values, value, bound: bounds.map(([sign, bound]) => `${sign} ${bound}`).join(' '), holds };
}

/** The ratio of two sides that were measured in turns, by the medians of their rounds. */
export function ratioLimit({ measure, ours, theirs, ...bound }) {
  return limit({ measure, unit: '', values: [median(ours) / median(theirs)], ...bound });
}

/** A figure that could not be measured here, and why. */
export function notMeasured(measure, reason) {
  return { measure, reason };
}

/** Whether a part's result is a figure with a limit of its own, and no row that compares two sides. */
export function isLimit({ holds, reason }) {
  return holds !== undefined || reason !== undefined;
}

const TITLES = ['measure', 'Parley', 'limit', 'holds', 'rounds'];

/** The cells of limits, as text, the titles first. */
export function limitCells(limits) {
  return [TITLES, ...limits.map(cellsOf)];
}

function cellsOf({ measure, reason, unit, values, value, bound, holds }) {
  if (reason !== undefined) return [measure, 'not measured', '', '', reason];
  const [least, most] = [Math.min(...values), Math.max(...values)].map(number);
  const range = values.length > 1 ? `${least} – ${most}` : '';
  return [measure, `${number(value)} ${unit}`.trim(), bound || 'report', holds, range];
}
