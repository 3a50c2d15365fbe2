import { number } from './rows.mjs';
import { median } from './stats.mjs';

/**
 * A figure with a limit instead of a contender: the median of the rounds' values. It holds if it's at least `atLeast`, at most `atMost`,
 * or less than `below`. If all are null, it's only reported.
 */
export function limit({ measure, unit, values, atLeast = null, atMost = null, below = null }) {
  const value = median(values);
  const isWithin = (atLeast ?? -Infinity) <= value && value <= (atMost ?? Infinity) && value < (below ?? Infinity);
  const bounds = Object.entries({ '≥': atLeast, '≤': atMost, '<': below }).filter(([, bound]) => bound !== null);
  const holds = bounds.length === 0 ? '' : isWithin ? 'yes' : 'NO';
  return { measure, unit, values, value, bound: bounds.map(([sign, bound]) => `${sign} ${bound}`).join(' '), holds };
}

/** The ratio of two contenders' medians, measured in turns. */
export function ratioLimit({ measure, ours, theirs, ...bound }) {
  return limit({ measure, unit: '', values: [median(ours) / median(theirs)], ...bound });
}

/** A figure that couldn't be measured on this machine, with the reason. */
export function notMeasured(measure, reason) {
  return { measure, reason };
}

/** Whether a part's result is a figure with a limit, and not a row that compares two contenders. */
export function isLimit({ holds, reason }) {
  return holds !== undefined || reason !== undefined;
}

const TITLES = ['measure', 'Parley', 'limit', 'holds', 'rounds'];

/** The cells of limits as text, beginning with the titles. */
export function limitCells(limits) {
  return [TITLES, ...limits.map(cellsOf)];
}

function cellsOf({ measure, reason, unit, values, value, bound, holds }) {
  if (reason !== undefined) return [measure, 'not measured', '', '', reason];
  const [least, most] = [Math.min(...values), Math.max(...values)].map(number);
  const range = values.length > 1 ? `${least} – ${most}` : '';
  return [measure, `${number(value)} ${unit}`.trim(), bound || 'report', holds, range];
}
