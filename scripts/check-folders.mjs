// Fails if a folder of code has too many files. The folders of src/api may have more, because they're regular: a controller and a DTO
// per resource.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const ROOTS = ['src', 'console', 'widget', 'packages', 'headless'];
const MAX_FILES = 20;
const DOOR = /^src\/api\/[^/]+$/;
/** Folders that still have more, with their limits. */
const PENDING = {};

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...ROOTS], {
  encoding: 'utf8',
});
const files = listed.split('\n').filter((path) => path && existsSync(path));
const counts = new Map(Object.keys(PENDING).map((folder) => [folder, 0]));
for (const folder of files.map((path) => dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);

for (const [folder, count] of counts) {
  const allowed = PENDING[folder] ?? (DOOR.test(folder) ? Infinity : MAX_FILES);
  if (count > allowed) fail(`${folder} has ${count} files, and may have ${allowed}: split it by topic`);
  else if (folder in PENDING && count <= MAX_FILES)
    fail(`${folder} has ${count} files: remove it from PENDING in scripts/check-folders.mjs`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
