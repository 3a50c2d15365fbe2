import { CAUSES } from '../../dist/src/platform/database/faults/cause.js';
import { table } from './table.mjs';

/** Every cause of a fault, with what an operator does about it. */
export function causes() {
  return table(
    ['`cause`', 'What it means', 'What to do'],
    CAUSES.map(({ name, text, remedy }) => [`\`${name}\``, text, remedy]),
  );
}
