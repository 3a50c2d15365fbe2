// Fails when prose has one of our bad habits: pages, comments, texts of the interfaces and errors, and names of tests. The habits
// are data (scripts/prose/habits.mjs). scripts/prose/pending.txt lists what was written before them, with the number of findings
// that each folder or file may have: the list only shrinks.
//
//   npm run check:prose                    all files
//   npm run check:prose -- src/auth docs   every finding in these, pending or not
//   npm run check:prose -- --shrink        lowers the numbers of the list to what is left; also settles a conflict in it
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HABITS, TITLE_HABITS } from './prose/habits.mjs';
import { read } from './prose/reader.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const PENDING = 'scripts/prose/pending.txt';
const READ = /\.(?:md|tsx?|m[jt]s|css)$/;
/** The words that must be found to be listed, and what other programs write. */
const UNREAD = /^scripts\/prose\/habits\.mjs$|^node_modules\/|\/fixtures\//;
const GENERATED = /^.{0,300}(?:@generated|[Dd]o not edit)/s;
const TEST = /(?:^|[./-])(?:spec|e2e-spec|[a-z]+-spec)\.ts$|^test\//;
/** Words of the interfaces in other languages than English. */
const FOREIGN = /\/locales\/(?!(?:admin-)?en\.ts)/;
const ESCAPE = /prose-allow:[ \t]*\S+[ \t]+\S+/;

const listFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => READ.test(path) && !UNREAD.test(path) && existsSync(path));

/** What `<!-- prose-allow: reason -->` or `// prose-allow: reason` on the line, or on the one above, lets pass. */
const isAllowed = (lines, line) => ESCAPE.test(lines[line - 1]) || ESCAPE.test(lines[line - 2] ?? '');

function check(path) {
  const text = readFileSync(path, 'utf8');
  if (GENERATED.test(text)) return [];
  const isTest = TEST.test(path);
  const { prose, titles } = read(path, text, { hasTests: isTest, hasTexts: !isTest && !FOREIGN.test(path) });
  const found = HABITS.flatMap((habit) => matches(habit, prose));
  for (const { offset, title } of titles) {
    found.push(...TITLE_HABITS.flatMap((habit) => matches(habit, title, offset)));
  }
  const lines = text.split('\n');
  return found
    .map(({ index, words, write }) => ({ path, line: text.slice(0, index).split('\n').length, words, write }))
    .filter(({ line }) => !isAllowed(lines, line))
    .toSorted((a, b) => a.line - b.line);
}

const matches = ({ find, write }, prose, offset = 0) =>
  [...prose.matchAll(find)].map((match) => ({
    index: offset + match.index,
    words: match[0].replaceAll(/\s+/g, ' '),
    write,
  }));

/** The folders and files that may have findings, and how many; the lower number where a conflict left two. */
function readPending() {
  const pending = new Map();
  for (const [, count, path] of readFileSync(PENDING, 'utf8').matchAll(/^(\d+) (\S+)$/gm)) {
    pending.set(path, Math.min(Number(count), pending.get(path) ?? Infinity));
  }
  return pending;
}

/** The nearest entry of the list for a file. */
const entryOf = (path, pending) =>
  [...pending.keys()]
    .filter((entry) => path === entry || path.startsWith(`${entry}/`))
    .toSorted((a, b) => a.length - b.length)
    .at(-1);

function countPending(found, pending) {
  const counts = new Map([...pending.keys()].map((entry) => [entry, 0]));
  for (const { path } of found) {
    const entry = entryOf(path, pending);
    if (entry) counts.set(entry, counts.get(entry) + 1);
  }
  return counts;
}

function shrink(counts, pending) {
  const lines = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a.localeCompare(b));
  const header = readFileSync(PENDING, 'utf8')
    .match(/^#.*\n/gm)
    .join('');
  writeFileSync(
    PENDING,
    header + lines.map(([path, count]) => `${Math.min(count, pending.get(path))} ${path}\n`).join(''),
  );
}

const excessOf = (entry, count, allowed) =>
  `${entry} has ${count} findings, and may have ${allowed}: see npm run check:prose -- ${entry}`;

const args = process.argv.slice(2);
const paths = args.filter((arg) => !arg.startsWith('--')).map((path) => path.replace(/\/$/, ''));
const isWanted = (path) =>
  paths.length === 0 || paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`));
const found = listFiles().filter(isWanted).flatMap(check);
const pending = readPending();
const counts = countPending(found, pending);

if (args.includes('--shrink')) shrink(counts, pending);
else {
  const shown = paths.length > 0 ? found : found.filter(({ path }) => !entryOf(path, pending));
  for (const { path, line, words, write } of shown) console.log(`${path}:${line}: "${words}": write ${write}`);
  const judged = paths.length > 0 ? [] : [...counts];
  const excess = judged.filter(([entry, count]) => count > pending.get(entry));
  for (const [entry, count] of excess) console.log(excessOf(entry, count, pending.get(entry)));
  const passing = judged.filter(([, count]) => count === 0).map(([entry]) => entry);
  if (passing.length > 0) console.log(`these pass, run npm run check:prose -- --shrink: ${passing.join(', ')}`);
  console.log(
    `${found.length} findings, ${found.length - shown.length} of them in ${pending.size} pending folders and files`,
  );
  if (shown.length + excess.length > 0) process.exitCode = 1;
}
