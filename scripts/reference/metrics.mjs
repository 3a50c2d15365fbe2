import { METRIC_GROUPS, METRICS } from '../../dist/src/platform/telemetry/metric-list.js';
import { anchored, code, table } from './table.mjs';

/** Every metric, by the part of the product that it belongs to. */
export function metrics() {
  return Object.entries(METRIC_GROUPS)
    .map(([group, title]) => {
      const rows = Object.entries(METRICS).filter(([, row]) => row.group === group);
      return `## ${title}\n\n${table(['Metric', 'Type', 'Labels', 'What it means'], rows.map(toCells))}`;
    })
    .join('\n\n');
}

const toCells = ([name, { type, labels, help }]) => [anchored(name), type, labels.map(code).join(' '), help];
