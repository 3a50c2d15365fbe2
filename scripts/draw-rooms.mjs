// Draws the rooms of `src` from the imports in the code, between the two markers of docs/inside/architecture.md.
// `node scripts/draw-rooms.mjs` writes the page. `--check` fails if the page is out of date, or if an import breaks a rule of
// .dependency-cruiser.mjs.
import { cruise, format } from 'dependency-cruiser';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import config, { ROOMS } from '../.dependency-cruiser.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/inside/architecture.md';
const BEGIN = '<!-- rooms: drawn by scripts/draw-rooms.mjs -->';
const END = '<!-- end of rooms -->';
/** Every room imports it, so arrows to it are left out. */
const GROUND = 'platform';
/** This room is drawn as its folders, one per audience. */
const SPLIT = 'api';

/** A file's folder in the picture; null if it has none (`src/main.ts`). */
function folderOf(file) {
  const [top, ...path] = file.split('/');
  if (top !== 'src' || path.length < 2) return null;
  return path[0] === SPLIT && path.length > 2 ? `${path[0]}/${path[1]}` : path[0];
}

/** Sorts in the same order on every machine, independent of its language. */
const inOrder = (texts) => [...texts].toSorted((a, b) => (a < b ? -1 : 1));

async function findImports() {
  process.chdir(ROOT);
  const { options, ...ruleSet } = config;
  const { output } = await cruise(['src', 'migrations'], { ...options, ruleSet, validate: true });
  return output;
}

function findArrows({ modules }) {
  const folders = new Set();
  const arrows = new Set();
  for (const { source, dependencies } of modules) {
    const from = folderOf(source);
    if (from === null) continue;
    folders.add(from);
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved);
      if (to !== null && to !== from && to !== GROUND) arrows.add(`${from} ${to}`);
    }
  }
  return { folders: inOrder(folders), arrows: inOrder(arrows).map((arrow) => arrow.split(' ')) };
}

const nodeOf = (folder) => folder.replaceAll(/\W/g, '_');

/** The folders of a room, in the order of ROOMS from the top down. */
function levelsOf(folders) {
  return ROOMS.toReversed().map((rooms) => folders.filter((folder) => rooms.includes(folder.split('/')[0])));
}

/** Removes arrows that follow from other arrows, so that the picture is readable. */
function withoutShortcuts(arrows) {
  const targets = new Map();
  for (const [from, to] of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  const reaches = (from, to, seen = new Set()) =>
    (targets.get(from) ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
  return arrows.filter(([from, to]) => !targets.get(from).some((next) => next !== to && reaches(next, to)));
}

function draw({ folders, arrows }) {
  const nodes = levelsOf(folders)
    .flat()
    .map((folder) => `  ${nodeOf(folder)}["${folder}"]`);
  const lines = withoutShortcuts(arrows).map(([from, to]) => `  ${nodeOf(from)} --> ${nodeOf(to)}`);
  return ['```mermaid', 'flowchart TD', ...nodes, ...lines, '```'].join('\n');
}

function replaceBetween(page, picture) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} does not have the two markers ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${picture}\n\n${END}${after}`;
}

const page = readFileSync(`${ROOT}/${PAGE}`, 'utf8');
const imports = await findImports();
const drawn = replaceBetween(page, draw(findArrows(imports)));
if (process.argv.includes('--check')) {
  const { output, exitCode } = await format(imports, { outputType: 'err' });
  console.log(output.trim());
  if (drawn !== page) console.error(`${PAGE} does not show the imports of the code: run node scripts/draw-rooms.mjs`);
  if (exitCode > 0 || drawn !== page) process.exitCode = 1;
} else {
  writeFileSync(`${ROOT}/${PAGE}`, drawn);
}
