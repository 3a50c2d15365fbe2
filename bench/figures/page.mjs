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

/** What the tables of figures with limits are about, by the part of the benchmark. */
const LIMITS = {
  agents: `## Agents

One organization with 1,000 agents and 1,100 chats. Each figure has a limit of its own.`,
  console: `## The console

A supervisor's list of 1,000 open chats in Chromium. The first load has a processor four times slower.`,
  widget: `## The widget

The first visit to a page with the widget in Chromium, with a processor four times slower.`,
};

/**
 * Writes docs/inside/benchmarks.md and the chart it shows.
 * @param rows what was measured beside another side
 * @param limits the figures with limits of their own, by part
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

What a send costs, beside a service written by hand for the same task, the framework's ceiling, the database's own line
and Socket.IO alone. Both sides of a row ran in turns on one machine; a figure is the median of the rounds, and the ratio
is Parley's figure by the other's. Quote ratios: the figures are this machine's.
${warning ? `\n> ${warning}\n` : ''}
![Sends a second and latencies of Parley and what it is compared with](benchmarks.svg)

${table([TITLES, ...rows.map(cells)])}

${Object.keys(LIMITS)
  .map((part) => limitsOf(part, limits[part]))
  .join('\n\n')}

## What is compared with what

- **baseline**: Express 5, pg and Socket.IO by hand ([baseline.mjs](../../bench/setup/baseline.mjs)): token lookup, BEGIN, UPDATE,
  INSERT, COMMIT, emit; named statements, one pool of 20, keep-alive, no logging; the same tenants, chats and visitors.
- **GET /health/live**: Parley's cheapest answer. Requests and answers are made in a way that lets Express answer several
  times as many on Node 20 ([ADR 11](adr/0011-create-requests-with-express-prototypes.md)), which moved this line away.
  **plain Nest**: the same answer of Nest and Express as they come.
- **pgbench**: the statement with which Parley stores a single message, prepared, by 32 clients, on the same chats: what
  the database can do when every message has a commit of its own.
- **no database**, **bare Socket.IO**, **re-sent from memory**: Express and Socket.IO that keep nothing
  ([bare.mjs](../../bench/setup/bare.mjs)).
- **bare Nest**, **plain Nest**: an application without code of its own that loads the same packages
  ([bare-nest.mjs](../../bench/setup/bare-nest.mjs)).

Every server runs on the same Node with the same flags, and on one PostgreSQL as it comes, each commit on disk.
[How each row is measured](../../bench/README.md), and what it cannot tell.

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
