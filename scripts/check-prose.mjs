// Fails if prose has one of our bad habits: in pages, comments, texts of the interfaces and errors, and names of tests. The habits
// are data (scripts/prose/habits.mjs). Also fails if a citation of the contract names no section of it, or if a commit's subject isn't
// `area: what, in the imperative`.
//
//   npm run check:prose                    all files
//   npm run check:prose -- src/auth docs   only these
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HABITS, TITLE_HABITS } from './prose/habits.mjs';
import { read } from './prose/reader.mjs';
import { checkSubjects } from './prose/subjects.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const READ = /\.(?:md|tsx?|m[jt]s|css)$/;
/** The list of the words itself, and what programs write: the texts of the benchmark's page are in bench/figures. */
const UNREAD = /^scripts\/prose\/habits\.mjs$|^docs\/inside\/benchmarks\.md$|^node_modules\/|\/fixtures\//;
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
  found.push(...miscitations(text));
  const lines = text.split('\n');
  return found
    .map(({ index, words, write }) => ({ path, line: text.slice(0, index).split('\n').length, words, write }))
    .filter(({ line }) => !isAllowed(lines, line))
    .toSorted((a, b) => a.line - b.line);
}

const SECTIONS = [...readFileSync('docs/contract.md', 'utf8').matchAll(/^#{2,3} (.+)$/gm)].map(([, name]) => name);
const isSection = (words) =>
  SECTIONS.some((name) => words.startsWith(`: ${name}`) && !/^\w/.test(words.slice(name.length + 2)));
/** Citations of the contract that name none of its sections. */
const miscitations = (text) =>
  [...text.matchAll(/CONTRACT((?:[:]| sections?) .{0,40})/g)]
    .filter(([, words]) => !isSection(words))
    .map(({ index, 0: words }) => ({ index, words, write: 'CONTRACT, a colon, and a heading of docs/contract.md' }));

const matches = ({ find, write }, prose, offset = 0) =>
  [...prose.matchAll(find)].map((match) => ({
    index: offset + match.index,
    words: match[0].replaceAll(/\s+/g, ' '),
    write,
  }));

const paths = process.argv.slice(2).map((path) => path.replace(/\/$/, ''));
const isWanted = (path) =>
  paths.length === 0 || paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`));
const found = [...listFiles().filter(isWanted).flatMap(check), ...(paths.length === 0 ? checkSubjects() : [])];
for (const { path, line, words, write } of found) console.log(`${path}:${line}: "${words}": write ${write}`);
console.log(`${found.length} findings`);
if (found.length > 0) process.exitCode = 1;
