// Compiles TypeScript with the options of `.swcrc`, and keeps the result for the next worker and the next run.
import { transformSync, version } from '@swc/core';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CACHE = `${ROOT}node_modules/.cache/parley-tests`;
const OPTIONS = readFileSync(`${ROOT}.swcrc`, 'utf8');

/** The code of a file, and the path of its source map. */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const hash = createHash('sha256')
    .update(JSON.stringify([version, OPTIONS, path, source]))
    .digest('hex');
  const stored = `${CACHE}/${hash}.js`;
  if (!existsSync(stored)) store(stored, transformSync(source, { filename: path, sourceMaps: true }));
  return { code: readFileSync(stored, 'utf8'), mapPath: `${stored}.map` };
}

function store(path, { code, map }) {
  mkdirSync(CACHE, { recursive: true });
  write(`${path}.map`, map);
  write(path, code);
}

/** Another worker sees the whole file or none. */
function write(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
