import { PROPERTIES } from '../../dist/src/platform/database/properties/properties.js';
import { table } from './table.mjs';

const HOW = { set: 'sets it', checked: 'checks it', irrelevant: "doesn't depend on it" };

/** What Parley does about each property of a database. */
export function properties() {
  return table(
    ['Property', 'Parley', 'Details'],
    PROPERTIES.map(({ name, how, meaning }) => [name, HOW[how], meaning]),
  );
}
