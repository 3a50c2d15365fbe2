// node scripts/test.mjs SUITE [arguments of jest]: builds if anything is out of date, then runs one suite of jest.config.mjs.
// `faults` also takes --seed N and --minutes N.
import { spawn } from 'node:child_process';
import './prepare.mjs';

const [suite, ...rest] = process.argv.slice(2);
const env = { ...process.env, TEST_SUITE: suite };
const args = suite === 'faults' ? readFaultOptions(rest) : rest;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...args];
const child = spawn(process.execPath, jest, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));

/** Moves the options for `faults` into `env`, and returns the others. */
function readFaultOptions(given) {
  const others = [];
  while (given.length > 0) {
    const [name, value] = given.shift().split('=');
    if (name === '--seed' || name === '--minutes') {
      const number = Number(value ?? given.shift());
      if (!(number > 0)) throw new Error(`${name} must be followed by a number above 0`);
      env[name === '--seed' ? 'FAULT_SEED' : 'FAULT_MINUTES'] = String(number);
    } else others.push(value === undefined ? name : `${name}=${value}`);
  }
  return others;
}
