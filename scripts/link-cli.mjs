// Links the built command line, so that `npx parley` runs it. Without the link (on Windows, or in a read-only folder), use
// `node dist/src/cli/main.js`.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const folder = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));

chmodSync(program, 0o755);
try {
  mkdirSync(folder, { recursive: true });
  rmSync(`${folder}parley`, { force: true });
  symlinkSync('../../dist/src/cli/main.js', `${folder}parley`);
} catch (error) {
  if (process.platform !== 'win32') console.warn(`no link to the command line: ${error.message}`);
}
