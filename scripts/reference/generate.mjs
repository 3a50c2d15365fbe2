// Writes the tables of the reference from the code: the marked parts of pages, and the clients' lists of error codes.
// `npm run generate:reference` writes them; `--check` fails when one isn't what it would write. A part begins with
// `<!-- generated: NAME -->` and ends with `<!-- end of generated -->`. It reads the built service, and connects to nothing.
import { format } from 'oxfmt';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { causes } from './causes.mjs';
import { commands } from './commands.mjs';
import { disconnects, refusals, sessionEnds } from './disconnects.mjs';
import { errorCodes, errors } from './errors.mjs';
import { agentEvents, visitorEvents, webhookEvents } from './events.mjs';
import { metrics } from './metrics.mjs';
import { properties } from './properties.mjs';
import { variables } from './variables.mjs';

const root = resolve(import.meta.dirname, '../..');
const BEGIN = /^<!-- generated: (\S+) -->$/gm;
const END = '<!-- end of generated -->';

/** The parts of each page. */
const PAGES = {
  'docs/operate/faults.md': { causes },
  'docs/operate/managed-databases.md': { properties },
  'docs/reference/command-line.md': { commands },
  'docs/reference/disconnects.md': { refusals, disconnects, 'session-ends': sessionEnds },
  'docs/reference/environment.md': { variables },
  'docs/reference/errors.md': { errors },
  'docs/reference/events.md': { webhooks: webhookEvents, visitors: visitorEvents, agents: agentEvents },
  'docs/reference/metrics.md': { metrics },
};

/** Files that are generated as a whole. */
const FILES = {
  'headless/error-codes.ts': errorCodes,
  'packages/bot/src/error-codes.ts': errorCodes,
};

const { $schema: _, ignorePatterns: __, ...style } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));
const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/** Replaces each marked part of a page. Every part has to be on its page once. */
function fill(page, parts) {
  const text = read(page);
  const marked = Array.from(text.matchAll(BEGIN), ([, name]) => name)
    .toSorted()
    .join();
  const names = Object.keys(parts).toSorted().join();
  if (marked !== names) throw new Error(`${page} has the marked parts "${marked}", and needs "${names}"`);
  let filled = text;
  for (const [name, write] of Object.entries(parts)) {
    const begin = `<!-- generated: ${name} -->`;
    const start = filled.indexOf(begin) + begin.length;
    const end = filled.indexOf(END, start);
    if (end < 0) throw new Error(`${page}: "${begin}" has no "${END}"`);
    filled = `${filled.slice(0, start)}\n\n${write()}\n\n${filled.slice(end)}`;
  }
  return filled;
}

async function formatted(path, text) {
  const { code, errors: faults } = await format(path, text, style);
  if (faults.length > 0) throw new Error(`${path}: ${JSON.stringify(faults)}`);
  return code;
}

const wanted = new Map();
for (const [page, parts] of Object.entries(PAGES)) wanted.set(page, await formatted(page, fill(page, parts)));
for (const [path, write] of Object.entries(FILES)) wanted.set(path, await formatted(path, write()));

const stale = [...wanted].filter(([path, text]) => read(path) !== text);
if (!process.argv.includes('--check')) {
  for (const [path, text] of stale) writeFileSync(join(root, path), text);
  console.log(stale.length > 0 ? `wrote ${stale.map(([path]) => path).join(', ')}` : 'nothing has changed');
} else if (stale.length > 0) {
  for (const [path] of stale) console.error(`${path} is out of date: run \`npm run generate:reference\``);
  process.exitCode = 1;
}
// Modules of the service may hold timers.
process.exit();
