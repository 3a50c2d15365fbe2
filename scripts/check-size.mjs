// Fails if the widget or the console is too large on the wire. The limits keep sites fast, and let the console load immediately.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
/** 1.2 kB of it keep the chat's events from the page, and the page's changes of JavaScript from the chat. */
const MAX_LAUNCHER = 5_200;
/**
 * The files of the first open, without the words of a language. 0.5 kB of it name files, and load what sends and shows them, 0.2 kB say
 * that a bot is an AI, and 0.2 kB run commands of the page.
 */
const MAX_FIRST_OPEN = 36_864;
/** Files that load on demand, by the first part of their name. */
const MAX_LATER = {
  words: 2_432,
  filewords: 1_792,
  files: 4_096,
  uploads: 7_168,
  markdown: 8_192,
  extras: 6_272,
  news: 2_048,
  media: 2_048,
  fold: 1_280,
  choices: 2_048,
  offers: 3_712,
  thumbs: 2_048,
  site: 2_560,
  proactive: 1_536,
  button: 2_048,
  answers: 1_280,
  chats: 5_888,
  road: 2_560,
  facts: 640,
  commands: 512,
  realm: 768,
};
/** 0.1 kB of it loads what needs an administrator. */
const MAX_CONSOLE_START = 95_232;
/** Of all files, which load when they're used. 0.6 kB of it keep late answers and second clicks from what the person does by then. */
const MAX_CONSOLE = 254_300;

const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

const widget = sizesOf('widget/');
const isPanel = (name) => name.startsWith('panel.');
const isFirst = (name) => name === 'widget.js' || isPanel(name);
for (const [name, size] of widget) {
  if (!isPanel(name)) report(name, size, name === 'widget.js' ? MAX_LAUNCHER : (MAX_LATER[name.split('.')[0]] ?? 0));
}
report('widget, first open', sum(new Map([...widget].filter(([name]) => isFirst(name)))), MAX_FIRST_OPEN);

const page = readFileSync(new URL('console/index.html', dist), 'utf8');
const assets = sizesOf('console/assets/');
const first = new Map([...assets].filter(([name]) => page.includes(name)));
for (const [name, size] of assets) report(name, size);
const html = gzipSync(page, { level: 9 }).length;
report('console, first load', sum(first) + html, MAX_CONSOLE_START);
report('console', sum(assets) + html, MAX_CONSOLE);

function sizesOf(folder) {
  const directory = new URL(folder, dist);
  const sizeOf = (name) => gzipSync(readFileSync(new URL(name, directory)), { level: 9 }).length;
  return new Map(readdirSync(directory).map((name) => [name, sizeOf(name)]));
}

function report(name, size, limit) {
  const isTooMuch = limit !== undefined && size > limit;
  if (isTooMuch) process.exitCode = 1;
  const verdict = limit === undefined ? '' : `of ${limit}${isTooMuch ? ': too much' : ''}`;
  console.log(`${name.padEnd(24)} ${String(size).padStart(6)} bytes gzipped ${verdict}`.trimEnd());
}
