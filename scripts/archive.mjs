// Writes npm packages whose bytes depend on their files alone, not on the machine or the time.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const LICENSE = resolve(import.meta.dirname, '../LICENSE');
const BLOCK = 512;
/** 1985-10-26, the time that npm sets for every file of a package. */
const MTIME = 499_162_500;

/**
 * The files of a folder as [name in the package, path], in an order that is the same on every machine.
 *
 * @param {(path: string) => boolean} isWanted gets a path below the folder, with slashes
 */
export function filesOf(folder, prefix, isWanted = () => true) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(folder, path)).isFile() && isWanted(path))
    .sort()
    .map((path) => [prefix + path, join(folder, path)]);
}

/**
 * Writes a package with its manifest and the license.
 *
 * @param files pairs of a name in the package and a path, or the content in a Buffer
 */
export function writeArchive(file, manifest, files) {
  const entries = [
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['LICENSE', LICENSE],
    ...files,
  ];
  const blocks = entries.flatMap(([path, source]) => {
    const content = typeof source === 'string' ? readFileSync(source) : source;
    return [
      header(`package/${path}`, content.length),
      content,
      Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
    ];
  });
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // Byte 9 of the gzip header names the operating system. 255: unknown.
  archive[9] = 255;
  writeFileSync(file, archive);
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
