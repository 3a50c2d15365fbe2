// Builds the console into dist/console: a page, and assets with a content hash in their names, so that browsers may cache them
// forever.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { lightSocketIo } from './light-socket-io.mjs';

const root = resolve(fileURLToPath(new URL('../console', import.meta.url)));

const ELEMENT = /<(path|circle|rect|line|polyline|polygon|ellipse) ([^>]*?)\/?>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/** Turns `x.svg?icon` into a list of the picture's elements, `[name, attributes]`, so that the browser parses nothing. */
const inlineIcons = {
  name: 'inline-icons',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.svg?icon')) return undefined;
    const svg = readFileSync(id.slice(0, -'?icon'.length), 'utf8');
    const elements = Array.from(svg.matchAll(ELEMENT), ([, name, attributes]) => [
      name,
      Object.fromEntries(Array.from(attributes.matchAll(ATTRIBUTE), ([, key, value]) => [key, value])),
    ]);
    return `export default ${JSON.stringify(elements)};`;
  },
};

await build({
  root,
  base: '/console/',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [lightSocketIo, inlineIcons],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The page's Content-Security-Policy doesn't allow `data:`.
    assetsInlineLimit: 0,
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
