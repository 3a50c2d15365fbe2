// Checks the OpenAPI documents with Redocly and Spectral, and that the generated types are current; `--write` writes the types.
// The tools are a separate package, which is installed here when it's first needed, or by `--install-only`.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const here = import.meta.dirname;
const root = resolve(here, '../..');
const documents = join(root, 'dist/openapi');
const tools = join(here, 'node_modules');

/** The types of the schemas that several documents have. It's inside the package of bots because that imports no other folder. */
const SHARED = 'packages/bot/src/shared-api.ts';
/** The document of each other file of types. */
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
const files = Object.values(TYPES).map((name) => join(documents, `${name}.json`));
const spectral = join(tools, '@stoplight/spectral-cli/dist/index.js');
const linted = Promise.all([
  run('Redocly', join(tools, '@redocly/cli/bin/cli.js'), 'lint', '--config', join(here, 'redocly.yaml'), ...files),
  run('Spectral', spectral, 'lint', '-r', join(here, 'spectral.yaml'), '--fail-severity', 'hint', ...files),
]);
await compareAllTypes();
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

/** Compares each file of types with its document, or writes it. */
async function compareAllTypes() {
  const schemas = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).components.schemas);
  const shared = sharedOf(schemas);
  compare(SHARED, await typesOf(shared), 'what several OpenAPI documents have');
  for (const [index, [path, name]] of Object.entries(TYPES).entries()) {
    const types = await typesOf(schemas[index], new Set(Object.keys(shared)));
    const to = relative(dirname(path), SHARED).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    const source = to.startsWith('.') ? to : `./${to}`;
    compare(path, `import type * as shared from '${source}';\n\n${types}`, `the OpenAPI document of the ${name} API`);
  }
}

/** The schemas that several documents have. A name means one thing in all of them. */
function sharedOf(documents) {
  const first = new Map();
  const shared = {};
  for (const [name, schema] of documents.flatMap(Object.entries)) {
    if (first.has(name)) shared[name] = first.get(name);
    else first.set(name, schema);
    if (JSON.stringify(first.get(name)) !== JSON.stringify(schema)) faults.push(`two documents differ in ${name}`);
  }
  return shared;
}

function compare(path, types, from) {
  const file = join(root, path);
  const wanted = `// Generated from ${from} by \`npm run generate:types\`. Do not edit.\n\n${types}`;
  if (isWriting) return writeFileSync(file, wanted);
  const is = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (is !== wanted) faults.push(`${path} is out of date: run \`npm run generate:types\``);
}

/**
 * The types of schemas; a shared one is a reference to the shared file. Leaves out the routes, because none of our clients needs
 * their types.
 */
async function typesOf(schemas, shared = new Set()) {
  const { default: openapiTS, astToString } = await import(join(tools, 'openapi-typescript/dist/index.mjs'));
  const { default: ts } = await import(join(tools, 'typescript/lib/typescript.js'));
  const nodes = await openapiTS(
    { openapi: '3.1.0', info: { title: 'Types', version: '1' }, paths: {}, components: { schemas } },
    {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      silent: true,
      transform(_schema, { path }) {
        const name = /^#\/components\/schemas\/(\w+)$/.exec(path)?.[1];
        return shared.has(name) ? ts.factory.createTypeReferenceNode(`shared.${name}`) : undefined;
      },
    },
  );
  return astToString(nodes)
    .replace(/^export type (?:webhooks|\$defs|paths|operations) = .*\n/gm, '')
    .replace(/^export interface (?:webhooks|\$defs|paths|operations) \{[^}]*\}\n/gm, '');
}
