// Fails when the widget weighs more on the wire than a site can be asked to carry.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const directory = new URL('../dist/widget/', import.meta.url);
const MAX_LAUNCHER = 4_096;
const MAX_ALL = 32_768;

const sizes = new Map(
  readdirSync(directory).map((name) => [name, gzipSync(readFileSync(new URL(name, directory)), { level: 9 }).length]),
);
const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
for (const [name, size] of sizes) report(name, size, name === 'widget.js' ? MAX_LAUNCHER : undefined);
report('all', all, MAX_ALL);
process.exitCode = (sizes.get('widget.js') ?? Infinity) > MAX_LAUNCHER || all > MAX_ALL ? 1 : 0;

function report(name, size, limit) {
  const verdict = limit === undefined ? '' : `of ${limit}${size > limit ? ': too much' : ''}`;
  console.log(`${name.padEnd(24)} ${String(size).padStart(6)} bytes gzipped ${verdict}`.trimEnd());
}
