// node scripts/build-service.mjs [FOLDER]: compiles `src` and `migrations` of a clone into its `dist`, with swc and `.swcrc`, as the tests
// do. Types are checked by `npm run check:lint`.
import { transformFileSync } from '@swc/core';
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeBuildInfo } from './build-info.mjs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
for (const folder of ['src', 'migrations']) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) build(join(folder, name));
}
writeBuildInfo(root);

/** Compiles a module, and copies any other file. */
function build(path) {
  const [from, to] = [join(root, path), join(dist, path)];
  if (path.endsWith('.spec.ts') || statSync(from).isDirectory()) return;
  mkdirSync(dirname(to), { recursive: true });
  if (path.endsWith('.ts')) compile(from, to.replace(/\.ts$/, '.js'));
  else copyFileSync(from, to);
}

function compile(from, to) {
  const { code, map } = transformFileSync(from, { cwd: root, sourceMaps: true });
  writeFileSync(`${to}.map`, map);
  writeFileSync(to, `${code}\n//# sourceMappingURL=${basename(to)}.map\n`);
}
