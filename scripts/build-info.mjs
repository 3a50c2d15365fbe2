// node scripts/build-info.mjs: writes `dist/build.json`, which names the commit of the build: REVISION if it is set, as in the image; otherwise the commit of git,
// with `-dirty` if files were changed since.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
if (process.argv[1] === here) writeBuildInfo(dirname(dirname(here)));

/** @param root the folder with `dist`. Does nothing if the file says so already */
export function writeBuildInfo(root) {
  const file = join(root, 'dist/build.json');
  const text = `${JSON.stringify({ commit: findCommit(root) })}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function findCommit(root) {
  const { REVISION } = process.env;
  if (REVISION && REVISION !== 'unknown') return REVISION.slice(0, 12);
  if (!existsSync(join(root, '.git'))) return 'unknown';
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}
