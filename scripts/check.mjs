// Runs the `check:…` scripts of package.json, two at a time, and prints the output of each. Fails if one of them fails. What npm and
// `prepare` would do for each, it does once for all.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
// The documentation's links are tests of `npm test`.
const PREPARE = 'node scripts/prepare.mjs --service';
const needsBuild = (name) => scripts[name].startsWith(PREPARE);
const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` };
const failed = [];

/** Runs a command, and prints its whole output once it has ended. */
function run(name, command) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const output = [];
    const child = spawn(command, { cwd: root, env, shell: true });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      process.stdout.write(Buffer.concat(output));
      console.log(`== ${name} ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
      if (code !== 0) failed.push(name);
      resolve();
    });
  });
}

async function runAll(names) {
  for (let name = names.shift(); name; name = names.shift())
    await run(name, scripts[name].replace(`${PREPARE} && `, ''));
}

await Promise.all([
  run('install', 'node scripts/prepare.mjs --install-only'),
  run('install the tools of check:api', 'node scripts/openapi/check.mjs --install-only'),
]);
const rest = checks.filter(needsBuild);
const built = run('build', PREPARE).then(() => {
  if (failed.includes('build')) failed.push(...rest.splice(0));
});
// Checks that need no build run beside it.
await Promise.all([
  built.then(() => runAll(rest)),
  runAll(checks.filter((name) => !needsBuild(name)))
    .then(() => built)
    .then(() => runAll(rest)),
]);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
