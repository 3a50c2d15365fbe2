#!/usr/bin/env node
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm create parley-bot@latest <folder> [-- --javascript]

Creates a bot for Parley in a new or empty folder, with its test.

  --javascript   in JavaScript, instead of TypeScript
  --help         print this`;
/** What an npm package may be called. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
/** What a shell and a file of variables both read as one value. */
const PLAIN = /^[\w.:/@%+~-]*$/;

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

main();

function main() {
  const { javascript, help, folder } = readOptions();
  if (help) return say(USAGE);
  if (folder === undefined) return fail(`name the bot's folder\n\n${USAGE}`);
  const target = resolve(folder);
  const name = basename(target).toLowerCase();
  if (!NAME.test(name)) return fail(`"${name}" can't be the name of a package: use letters, digits, "-", "_", and "."`);
  if (existsSync(target) && readdirSync(target).length > 0) return fail(`${target} isn't empty`);
  for (const variable of ['PARLEY_URL', 'PARLEY_TOKEN']) {
    if (!PLAIN.test(process.env[variable] ?? '')) return fail(`${variable} has characters that don't belong there`);
  }
  create(target, name, javascript ? 'javascript' : 'typescript');
  const path = relative(process.cwd(), target) || '.';
  const token = process.env.PARLEY_TOKEN ? '' : '\nThen put the access token of your bot into .env.\n';
  say(`Created ${name}. Next:\n\n  cd ${path}\n  npm install\n  npm test\n  npm start\n${token}`);
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      options: { javascript: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (positionals.length > 1) fail(`one folder, not ${positionals.length}\n\n${USAGE}`);
    return { ...values, folder: positionals[0] };
  } catch (error) {
    return fail(`${error.message}\n\n${USAGE}`);
  }
}

function create(target, name, template) {
  mkdirSync(target, { recursive: true });
  for (const part of ['common', template]) cpSync(join(root, 'templates', part), target, { recursive: true });
  // The sources are valid in both languages.
  if (template === 'typescript') {
    for (const name of readdirSync(join(target, 'src')))
      renameSync(join(target, 'src', name), join(target, 'src', name.replace(/js$/, 'ts')));
  }
  // npm leaves a file of this name out of packages.
  renameSync(join(target, 'gitignore'), join(target, '.gitignore'));
  const file = join(target, 'package.json');
  const text = readFileSync(file, 'utf8')
    .replace('"my-bot"', JSON.stringify(name))
    .replace('"latest"', `"^${version}"`);
  writeFileSync(file, text);
  const { PARLEY_URL: url = 'http://127.0.0.1:3000', PARLEY_TOKEN: token = '' } = process.env;
  writeFileSync(join(target, '.env'), `PARLEY_URL=${url}\nPARLEY_TOKEN=${token}\n`, { mode: 0o600 });
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(message) {
  process.stderr.write(`create-parley-bot: ${message}\n`);
  process.exit(1);
}
