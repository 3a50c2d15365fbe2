import { DISCONNECTS, REFUSALS, SESSION_ENDS } from '../../dist/src/live/feeds/disconnects.js';
import { anchored, code, table } from './table.mjs';

const LAST = ['Why', 'Reconnect?', 'What to do'];
const lastOf = ({ meaning, shouldReconnect, action }) => [meaning, shouldReconnect ? 'yes' : 'no', action];
const AUDIENCES = { visitors: 'visitors', agents: 'agents', all: 'both' };

export function refusals() {
  const rows = Object.entries(REFUSALS).map(([reason, row]) => [anchored(reason), ...lastOf(row)]);
  return table(['Code', ...LAST], rows);
}

export function disconnects() {
  const rows = Object.entries(DISCONNECTS).map(([reason, row]) => [
    anchored(reason),
    AUDIENCES[row.who],
    code(row.seen),
    ...lastOf(row),
  ]);
  return table(['Reason', 'Whose', 'Your client sees', ...LAST], rows);
}

export function sessionEnds() {
  const rows = Object.entries(SESSION_ENDS).map(([reason, row]) => [anchored(reason), ...lastOf(row)]);
  return table(['`reason`', ...LAST], rows);
}
