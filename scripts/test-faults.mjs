// npm run test:faults [-- --seed N] [-- --minutes N] [-- -t name]: starts jest, which knows no options of ours.
import { spawn } from 'node:child_process';

const rest = [];
const env = { ...process.env };
const args = process.argv.slice(2);
while (args.length > 0) {
  const [name, value] = args.shift().split('=');
  if (name === '--seed' || name === '--minutes') {
    const number = Number(value ?? args.shift());
    if (!(number > 0)) throw new Error(`${name} must be followed by a number above 0`);
    env[name === '--seed' ? 'FAULT_SEED' : 'FAULT_MINUTES'] = String(number);
  } else rest.push(value === undefined ? name : `${name}=${value}`);
}
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.faults.config.mjs', ...rest];
const child = spawn(process.execPath, ['--experimental-vm-modules', '--no-warnings', ...jest], {
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => process.exit(code ?? 1));
