// Packs the packages that users install from a running service: dist/sdk/parley-bot.tgz and parley-visitor.tgz, in the service's
// version. The same sources give the same bytes, so every node of a release serves the same file.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { filesOf as listFiles, writeArchive } from './archive.mjs';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/sdk');
const { version, dependencies } = readJson('package.json');
/** The example that the guide of parley-visitor copies from the package. */
const EXAMPLE = ['README.md', 'index.html', 'package.json', 'src/chat.jsx', 'src/main.jsx', 'src/use-chat.js'].map(
  (name) => `examples/react-chat/${name}`,
);
/** Files left out of a bundled package: source maps, and builds for script tags. */
const LEFT_OUT = /\.map$|^dist\//;

mkdirSync(output, { recursive: true });

pack('parley-bot', { ...readJson('packages/bot/package.json'), version }, [
  ['README.md', join(root, 'packages/bot/README.md')],
  ...filesOf('dist/packages/bot', 'dist/'),
  ...(await bundleTool()),
]);

// Bundles the client's dependencies, so that it can be installed without a registry.
const bundled = closureOf('socket.io-client');
pack(
  'parley-visitor',
  {
    ...readJson('packages/visitor/package.json'),
    version,
    dependencies: { 'socket.io-client': dependencies['socket.io-client'] },
    bundleDependencies: ['socket.io-client'],
  },
  [
    ['README.md', join(root, 'packages/visitor/README.md')],
    ...filesOf('dist/visitor', ''),
    ...EXAMPLE.map((path) => [path, join(root, path)]),
    ...bundled.flatMap((name) =>
      filesOf(`node_modules/${name}`, `node_modules/${name}/`, (path) => !LEFT_OUT.test(path)),
    ),
  ],
);

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** The command of parley-bot in one file with what it imports, and the licenses of that. The SDK itself imports nothing. */
async function bundleTool() {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: 'dist/src/cli/dev/bot-tool.js', write: false, minify: true, target: 'node20' },
  });
  const [{ code, modules }] = result.output;
  const folder = join(root, 'node_modules');
  const names = Object.keys(modules).flatMap(
    (path) => /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(path)?.[1] ?? [],
  );
  const licenses = [...new Set(names)].sort().map((name) => {
    const license = readdirSync(join(folder, name)).find((file) => /^licen[cs]e/i.test(file));
    return `${name}\n\n${readFileSync(join(folder, name, license), 'utf8').trim()}\n`;
  });
  return [
    ['bin/parley-bot.js', Buffer.from(code)],
    ['bin/LICENSES', Buffer.from(licenses.join('\n----\n\n'))],
  ];
}

/** A package and all of its dependencies. */
function closureOf(name, found = new Set()) {
  if (found.has(name)) return [...found];
  found.add(name);
  const nested = join(root, 'node_modules', name, 'node_modules');
  if (existsSync(nested)) throw new Error(`${name} has packages of its own: pack them too`);
  for (const next of Object.keys(readJson(`node_modules/${name}/package.json`).dependencies ?? {}))
    closureOf(next, found);
  return [...found].sort((one, other) => (one < other ? -1 : 1));
}

function filesOf(folder, prefix, isWanted) {
  return listFiles(join(root, folder), prefix, isWanted);
}

function pack(name, manifest, files) {
  writeArchive(join(output, `${name}.tgz`), manifest, files);
}
