import { Config } from '../../dist/src/platform/config/config.js';
import { VARIABLE_GROUPS, VARIABLES } from '../../dist/src/platform/config/variables.js';
import { anchored, code, table } from './table.mjs';

const defaults = new Config();
const english = new Intl.NumberFormat('en-US');

/** Every environment variable, by what it's about. */
export function variables() {
  return Object.entries(VARIABLE_GROUPS)
    .map(([group, title]) => {
      const rows = Object.entries(VARIABLES).filter(([, row]) => row.group === group);
      return `## ${title}\n\n${table(['Variable', 'Default', 'Values', 'What it does'], rows.map(toCells))}`;
    })
    .join('\n\n');
}

function toCells([name, row]) {
  const given = row.default ?? (defaults[name] === undefined ? null : code(defaults[name]));
  if (given === null) throw new Error(`${name} has no default`);
  const values = row.range ? row.range.map((limit) => english.format(limit)).join(' to ') : row.values;
  return [anchored(name), given, values ?? '', row.meaning];
}
