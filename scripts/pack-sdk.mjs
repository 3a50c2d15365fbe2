// Packs the packages that users install from a running service: dist/sdk/parley-bot.tgz and parley-visitor.tgz, in the service's
// version. The same sources give the same bytes, so every node of a release serves the same file.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/sdk');
const { version, dependencies } = readJson('package.json');
/** The example that the guide of parley-visitor copies from the package. */
const EXAMPLE = ['README.md', 'index.html', 'package.json', 'src/chat.jsx', 'src/main.jsx', 'src/use-chat.js'].map(
  (name) => `examples/react-chat/${name}`,
);
const BLOCK = 512;
/** 1985-10-26, the time that npm sets for every file of a package. */
const MTIME = 499_162_500;
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

/** The files of a folder as [name in the package, path]. */
function filesOf(folder, prefix, isWanted = () => true) {
  const base = join(root, folder);
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(base, path)).isFile() && isWanted(path))
    .sort()
    .map((path) => [prefix + path, join(base, path)]);
}

function pack(name, manifest, files) {
  const entries = [
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['LICENSE', readFileSync(join(root, 'LICENSE'))],
    ...files.map(([path, source]) => [path, typeof source === 'string' ? readFileSync(source) : source]),
  ];
  const blocks = entries.flatMap(([path, content]) => [
    header(`package/${path}`, content.length),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // Byte 9 of the gzip header names the operating system. 255: unknown.
  archive[9] = 255;
  writeFileSync(join(output, `${name}.tgz`), archive);
}

/** The header of a file (POSIX ustar). */
function header(path, size) {
  const block = Buffer.alloc(BLOCK);
  const slash = path.length > 100 ? path.lastIndexOf('/', 155) : -1;
  const name = path.slice(slash + 1);
  if (name.length > 100) throw new Error(`${path} is too long for a package`);
  const octal = (number, length) => number.toString(8).padStart(length - 1, '0');
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(MTIME, 12), 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  if (slash >= 0) block.write(path.slice(0, slash), 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return block;
}
