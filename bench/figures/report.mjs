import { cells, TITLES } from './rows.mjs';

/** The conditions of the run. */
export function headLines({ rounds, seconds, isQuick, load, postgres, machine, fill, idleVisitors, cutVisitors }) {
  const sizes = [
    `${rounds} rounds of ${seconds} s after a warm-up`,
    `${fill.messages.toLocaleString('en-US')} messages in ${fill.chats.toLocaleString('en-US')} chats`,
    `${idleVisitors.toLocaleString('en-US')} idle visitors`,
    `${cutVisitors.toLocaleString('en-US')} who come back`,
  ];
  const { node, cores, cpu, memory } = machine;
  return [
    `${isQuick ? 'A quick run, with less of everything' : 'Sizes'}: ${sizes.join(', ')}`,
    `Node ${node}, PostgreSQL ${postgres.version}, load from ${load.name}`,
    `${cores} cores (${cpu}), ${memory}, load average ${machine.load.toFixed(2)}`,
  ];
}

/** The table of rows for a terminal. */
export function tableLines(rows) {
  return columns([TITLES, ...rows.map(cells)]);
}

/** Formats lines of cells as aligned columns. */
export function columns(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
