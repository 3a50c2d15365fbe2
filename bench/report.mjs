import { availableParallelism, loadavg } from 'node:os';

const MEASURES = ['perSecond', 'p50', 'p99'];

/** What was measured with what, and a warning when the machine has other work. */
export function headLines({ rounds, seconds, connections, path, loadName, postgresVersion }) {
  const [busy] = loadavg();
  const cores = availableParallelism();
  const lines = [
    `POST ${path}, ${connections} connections, ${rounds} x ${seconds} s after a warm-up, load from ${loadName}`,
    `Node ${process.versions.node}, PostgreSQL ${postgresVersion}, ${cores} cores, load average ${busy.toFixed(2)}`,
  ];
  if (busy > cores) lines.push(`Warning: load average ${busy.toFixed(2)} on ${cores} cores; do not trust the figures`);
  return lines;
}

export function roundLine(label, { name }, { perSecond, p50, p99 }) {
  return `${label.padEnd(8)}  ${name.padEnd(8)}  ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** The medians of the sides, and how the first compares to the second and the third to the first. */
export function tableLines(sides) {
  const medians = sides.map(({ results }) => MEASURES.map((key) => median(results.map((result) => result[key]))));
  const ratio = (one, other) => medians[one].map((value, index) => (value / medians[other][index]).toFixed(2));
  const ratios = [[0, 1], ...(sides.length > 2 ? [[2, 0]] : [])];
  return [
    row('median', ['requests/s', 'p50 ms', 'p99 ms']),
    ...sides.map(({ name }, index) => row(name, figures(medians[index]))),
    ...ratios.map(([one, other]) => row(`${sides[one].name}/${sides[other].name}`, ratio(one, other))),
  ];
}

function figures([perSecond, p50, p99]) {
  return [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)];
}

function row(title, cells) {
  return title.padEnd(18) + cells.map((cell) => cell.padStart(12)).join('');
}

export function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
