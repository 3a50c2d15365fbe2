import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const list = (piece: string) => (bytes: number) => `[${fill(`${piece},`, bytes - piece.length)}${piece}]`;
const text = (piece: string) => (bytes: number) => `"${fill(piece, bytes)}"`;
const keys = (bytes: number, name: (count: number) => string) => {
  const members = Array.from({ length: Math.ceil(bytes / 9) }, (_, count) => `"${name(count)}":0`);
  return `{${members.join(',')}}`;
};
const chains = (open: string, leaf: string, close: string, depth: number) =>
  list(open.repeat(depth) + leaf + close.repeat(depth));

/** Just below the deepest nesting that metadata may have. */
const DEEP = 1_900;

/** JSON that costs more than its length, each of about the given number of bytes. */
export const COSTLY: Record<string, (bytes: number) => string> = {
  'flat numbers': list('0'),
  'flat arrays': list('[]'),
  'flat objects': list('{}'),
  'flat texts': list('"a"'),
  'small fractions': list('1e-7'),
  'nested arrays': chains('[', '', ']', DEEP),
  'nested objects': chains('{"a":', '0', '}', DEEP),
  'one deep array': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'arrays 20 deep': chains('[', '', ']', 20),
  '15 digits': list('123456789012345'),
  '16 digits': list('1234567890123456'),
  '18 digits': list('123456789012345678'),
  '300 digits': list('9'.repeat(300)),
  'one number': (bytes) => '7'.repeat(bytes),
  'a text of digits': text('1234567890123456 '),
  'a text of escapes': text('\\u0061'),
  'a text of quotes': text('\\"'),
  'a text of emoji': text('\u{1f600}'),
  'a lone surrogate at the end': (bytes) => `"${'a'.repeat(bytes)}\\ud800"`,
  'many keys': (bytes) => `{"a":${keys(bytes, (count) => count.toString(36))}}`,
  'one key': (bytes) => `{"a":${keys(bytes, () => 'abcd')}}`,
  blanks: (bytes) => `[${' '.repeat(bytes)}0]`,
  'arrays without end': (bytes) => '['.repeat(bytes),
};

/** The encodings of a body, by name. */
export const ENCODINGS: Record<string, (body: string) => Buffer> = {
  identity: (body) => Buffer.from(body),
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body, { params: { 1: 5 } }),
};

function fill(piece: string, bytes: number): string {
  return piece.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(piece))));
}
