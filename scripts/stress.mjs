// node scripts/stress.mjs [--runs N] [arguments of jest]: runs the `default` suite N times (10 by default) while one core is kept busy,
// and prints how often each test failed. The output of each run is in a folder whose name is printed first.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';

const { runs, rest } = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'parley-stress-'));
/** The failed runs of each test, by its file and name. */
const failures = new Map();
let child;
let done = 0;
let isStopped = false;

// A thread, because unlike a process it always ends with this script.
new Worker('for (;;);', { eval: true });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
console.log(`${runs} runs with one core kept busy; their output is in ${folder}`);
while (done < runs && !isStopped) await run(done + 1);
const code = report();
process.exit(isStopped ? 130 : code);

async function run(number) {
  const [startedAt, results] = [Date.now(), join(folder, `${number}.json`)];
  const log = openSync(join(folder, `${number}.log`), 'w');
  const args = ['scripts/test.mjs', 'default', '--json', `--outputFile=${results}`, ...rest];
  child = spawn(process.execPath, args, { stdio: ['ignore', log, log] });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (isStopped) return;
  done = number;
  const failed = readFailures(results) ?? [`the run itself (exit code ${code})`];
  for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), number]);
  console.log(`run ${number}: ${failed.length} failed, ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** The names of failed tests, or of files that couldn't run. Null if the run was interrupted. */
function readFailures(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults.flatMap(({ name, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
      const names = failed.length === 0 && status === 'failed' ? ['(could not run)'] : failed;
      return names.map((test) => `${relative(process.cwd(), name)} › ${test}`);
    });
  } catch {
    return null;
  }
}

function report() {
  const rows = [...failures].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [name, numbers] of rows) {
    console.log(`${String(numbers.length).padStart(3)} of ${done}  ${name} (run ${numbers.join(', ')})`);
  }
  console.log(failures.size === 0 ? `0 failures in ${done} runs` : `${failures.size} tests failed`);
  return failures.size === 0 ? 0 : 1;
}

/** Ends the run, which ends its own processes, and then this script. */
function stop() {
  isStopped = true;
  child?.kill('SIGTERM');
}

function readOptions(given) {
  const at = given.indexOf('--runs');
  if (at < 0) return { runs: 10, rest: given };
  const [, value] = given.splice(at, 2);
  if (!(Number(value) > 0)) throw new Error('--runs must be followed by a number above 0');
  return { runs: Number(value), rest: given };
}
