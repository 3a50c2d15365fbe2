import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { chart } from './chart.mjs';
import { limitCells } from './limits.mjs';
import { warningOf } from '../setup/machine.mjs';
import { cells, number, TITLES } from './rows.mjs';

const PAGE = fileURLToPath(new URL('../../docs/inside/benchmarks.md', import.meta.url));
const CHART = fileURLToPath(new URL('../../docs/inside/benchmarks.svg', import.meta.url));

/** The introductions of the tables of figures with limits, by part. */
const LIMITS = {
  agents: `## Agents

One organization with 1,000 agents and 1,100 chats. Each figure has its own limit.`,
  console: `## The console

A supervisor's list of 1,000 open chats in Chromium. For the first load, the processor is slowed down four times.`,
  widget: `## The widget

The first visit to a page with the widget, in Chromium on a processor that is slowed down four times.`,
};

/**
 * Writes docs/inside/benchmarks.md and the chart it shows.
 * @param rows the figures that are compared with a contender
 * @param limits the figures with limits, by part
 */
export async function writePage(bench, rows, limits) {
  await writeFile(CHART, chart(rows));
  const { code } = await format(PAGE, page(bench, rows, limits));
  await writeFile(PAGE, code);
  return [PAGE, CHART];
}

function page(bench, rows, limits) {
  const warning = warningOf(bench.machine);
  return `---
title: Benchmarks
description: What Parley does per second, compared with a hand-written service on the same machine.
order: 5
---

# Benchmarks

This page compares Parley with a service written by hand for the same task, with the framework's maximum, with the database's
limit, and with plain Socket.IO. Both sides of a row ran in turns on one machine. Each figure is the median of the rounds, and the
ratio is Parley's figure divided by the other's. Quote the ratios, because the figures depend on the machine.
${warning ? `\n> ${warning}\n` : ''}
![Sends per second and latencies of Parley and its contenders](benchmarks.svg)

${table([TITLES, ...rows.map(cells)])}

${Object.keys(LIMITS)
  .map((part) => limitsOf(part, limits[part]))
  .join('\n\n')}

## What is compared with what

- **baseline**: Express 5, pg, and Socket.IO by hand ([baseline.mjs](../../bench/setup/baseline.mjs)): token lookup, BEGIN, UPDATE,
  INSERT, COMMIT, emit; named statements, one pool of 20, keep-alive, no logging; the same tenants, chats and visitors.
- **GET /health/live**: Parley's cheapest response. Parley's way of creating requests and responses makes Express several times as fast
  on Node 20 ([ADR 11](adr/0011-create-requests-with-express-prototypes.md)).
  **plain Nest**: the same response from untuned Nest and Express.
- **pgbench**: Parley's statement for a single message, prepared, by 32 clients, on the same chats: what the database can do if every
  message has its own commit.
- **no database**, **bare Socket.IO**, **re-sent from memory**: Express and Socket.IO that store nothing
  ([bare.mjs](../../bench/setup/bare.mjs)).
- **bare Nest**, **plain Nest**: an empty application that loads the same packages
  ([bare-nest.mjs](../../bench/setup/bare-nest.mjs)).

Every server runs on the same Node with the same flags, and on one untuned PostgreSQL with each commit on disk.
[The benchmark's README](../../bench/README.md) explains how each row is measured, and what it can't show.

## The machine and the run

${table([['', ''], ...facts(bench)])}

Lowest and highest round of each row:

${table([['measure', 'Parley', 'against'], ...rows.map((row) => [row.measure, range(row.ours, row.unit), range(row.theirs, row.unit)])])}

## Run it

\`\`\`sh
npm run bench              # everything, in about 40 minutes; writes this page
npm run bench -- --quick   # in about two minutes, with less of everything; writes nothing
\`\`\`
`;
}

function limitsOf(part, limits) {
  return `${LIMITS[part]}\n\n${limits ? table(limitCells(limits)) : 'Not measured: this machine has no Chromium.'}`;
}

function facts({ machine, postgres, load, rounds, seconds, heavyRounds, starts }) {
  const { cores, cpu, memory, node } = machine;
  return [
    ['processor', `${cores} cores, ${cpu}`],
    ['memory', memory],
    ['Node', node],
    ['PostgreSQL', `${postgres.version}, embedded, nothing tuned`],
    ['load', load.name],
    ['date', new Date().toISOString().slice(0, 10)],
    ['commit', commit()],
    ['rounds', `${rounds} of ${seconds} s; ${heavyRounds} of memory and return; ${starts} starts`],
    ['others on the machine', `${(machine.busy * 100).toFixed(0)} % of the CPU before the start`],
  ];
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'not a clone';
  }
}

function range({ values }, unit) {
  return `${number(Math.min(...values))} – ${number(Math.max(...values))} ${unit}`;
}

function table([head, ...lines]) {
  const line = (texts) => `| ${texts.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
