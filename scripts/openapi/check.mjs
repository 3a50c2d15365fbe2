// Checks the OpenAPI documents with Redocly and Spectral, and that the generated types are current; `--write` writes the types.
// The tools are a separate package, which is installed here when it's first needed, or by `--install-only`.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = resolve(here, '../..');
const documents = join(root, 'dist/openapi');
const tools = join(here, 'node_modules');

/** The document of each file of types. */
const TYPES = {
  'packages/bot/src/bot-api.ts': 'bot',
  'headless/visitor-api.ts': 'visitor',
  'console/api/agent-api.ts': 'agent',
  'console/api/admin-api.ts': 'admin',
};

const isWriting = process.argv.includes('--write');
const faults = [];

install();
if (process.argv.includes('--install-only')) process.exit();
await run('the documents', join(here, 'write.mjs'));
const files = Array.from(new Set(Object.values(TYPES)), (name) => join(documents, `${name}.json`));
const spectral = join(tools, '@stoplight/spectral-cli/dist/index.js');
const linted = Promise.all([
  run('Redocly', join(tools, '@redocly/cli/bin/cli.js'), 'lint', '--config', join(here, 'redocly.yaml'), ...files),
  run('Spectral', spectral, 'lint', '-r', join(here, 'spectral.yaml'), '--fail-severity', 'hint', ...files),
]);
for (const [path, name] of Object.entries(TYPES)) await compareTypes(path, name);
await linted;
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}

/** Installs the tools if the lock file has changed. */
function install() {
  const stamp = join(tools, '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const env = { ...process.env, SCARF_ANALYTICS: 'false' };
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: here, stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}

/** Runs a script, and prints its output if it fails. */
function run(what, ...args) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      if (error) {
        console.error(stdout + stderr);
        faults.push(`${what} failed`);
      }
      resolve();
    });
  });
}

/** Compares a file of types with its document, or writes it. */
async function compareTypes(path, name) {
  const file = join(root, path);
  const wanted = await typesOf(JSON.parse(readFileSync(join(documents, `${name}.json`), 'utf8')), name);
  if (isWriting) return writeFileSync(file, wanted);
  const is = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (is !== wanted) faults.push(`${path} is out of date: run \`npm run generate:types\``);
}

// Leaves out the routes, because none of our clients needs their types.
async function typesOf(document, name) {
  const { default: openapiTS, astToString } = await import(join(tools, 'openapi-typescript/dist/index.mjs'));
  const components = { schemas: document.components.schemas };
  const nodes = await openapiTS(
    { openapi: document.openapi, info: document.info, paths: {}, components },
    { rootTypes: true, rootTypesNoSchemaPrefix: true, silent: true },
  );
  const types = astToString(nodes)
    .replace(/^export type (?:webhooks|\$defs|paths|operations) = .*\n/gm, '')
    .replace(/^export interface (?:webhooks|\$defs|paths|operations) \{[^}]*\}\n/gm, '');
  return `// Generated from the OpenAPI document of the ${name} API by \`npm run generate:types\`. Do not edit.\n\n${types}`;
}
