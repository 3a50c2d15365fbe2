// Prepares a fresh clone for `npm start` and `npm test`. Installs and builds what is missing or out of date, and is fast if nothing
// changed. `--service` leaves out the documentation, `--start` also what only tests and checks need (test/tools/package.json), `--docs` does
// nothing but the documentation, and `--install-only` builds nothing. Uses only Node's own modules, because it runs before anything is
// installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBuildInfo } from './build-info.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = [
  'src',
  'migrations',
  'headless',
  'widget',
  'console',
  'scripts/build-console.mjs',
  'scripts/build-info.mjs',
  'packages',
  ...['README.md', 'index.html', 'package.json', 'src'].map((name) => `examples/react-chat/${name}`),
  'scripts/build-widget.mjs',
  'scripts/archive.mjs',
  'scripts/light-socket-io.mjs',
  'scripts/link-cli.mjs',
  'scripts/pack-sdk.mjs',
  'tsconfig.json',
  '.swcrc',
  'nest-cli.json',
  'package.json',
  'package-lock.json',
  'LICENSE',
];
/** The tools that build the documentation are a package of their own, because the service and its checks don't need them. */
const DOCS_TOOLS = 'docs/.vitepress';
const DOCS = ['docs', 'console/favicon.svg'];

const PLATFORM = `${process.platform}-${process.arch}`;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or newer; this is ${process.versions.node}`);
  process.exit(1);
}

const has = (option) => process.argv.includes(option);
const builds = existsSync(join(root, 'src')) && !has('--install-only');
if (!has('--docs')) {
  install('.');
  if (builds) {
    step('dist/.parley-built', SOURCES, '', () => {
      console.log('Building …');
      rmSync(join(root, 'dist'), { recursive: true, force: true });
      run('npm', ['run', '--silent', 'build:service']);
    });
    // A commit may change nothing that's built.
    writeBuildInfo(root);
  }
}
// The service builds it again when someone asks for it: it must not show another release's, or a part of a build that was interrupted.
if (builds && has('--start') && !isDone('docs/.vitepress/dist/.parley-built', DOCS, ''))
  rmSync(join(root, 'docs/.vitepress/dist'), { recursive: true, force: true });
if (builds && !has('--service') && !has('--start')) {
  install(DOCS_TOOLS);
  // Beside `dist`, which each build of the service empties: the documentation takes as long, and changes apart from it.
  step('docs/.vitepress/dist/.parley-built', DOCS, '', () => {
    console.log('Building the documentation …');
    run('node', ['docs/.vitepress/build.mjs']);
  });
}

function install(folder) {
  const files = [`${folder}/package-lock.json`];
  const stamp = `${folder}/node_modules/.parley-installed`;
  const isPart = folder === '.' && has('--start');
  if (isPart && isDone(stamp, files, PLATFORM)) return;
  step(stamp, files, isPart ? `${PLATFORM} without tests` : PLATFORM, () => {
    console.log(folder === '.' ? 'Installing dependencies …' : 'Installing what builds the documentation …');
    const options = isPart ? ['--workspaces=false'] : [];
    run('npm', ['ci', '--prefix', folder, ...options, '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

/** Runs `work`, unless the stamp shows that it was done for exactly these files. */
function step(stamp, files, salt, work) {
  const path = join(root, stamp);
  if (isDone(stamp, files, salt)) return;
  rmSync(path, { force: true });
  work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, stampOf(files, salt));
}

function isDone(stamp, files, salt) {
  const path = join(root, stamp);
  return existsSync(path) && readFileSync(path, 'utf8') === stampOf(files, salt);
}

function stampOf(files, salt) {
  const hash = createHash('sha256').update(salt);
  for (const file of files) digest(hash, join(root, file));
  return hash.digest('hex');
}

function digest(hash, path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return void hash.update(path.slice(root.length)).update(readFileSync(path));
  for (const name of readdirSync(path).sort())
    if (name !== 'dist' && name !== 'node_modules') digest(hash, join(path, name));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    // npm sets its own flags in the environment. A nested `npm ci` must install the tools even in production.
    env: { ...process.env, npm_config_omit: '', NODE_ENV: '' },
  });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  process.exit(status || 1);
}
