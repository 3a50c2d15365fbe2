// Builds the console into dist/console: a page, and assets with a content hash in their names, so that browsers may cache them
// forever.
import { cpSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { lightSocketIo } from './light-socket-io.mjs';

const root = resolve(fileURLToPath(new URL('../console', import.meta.url)));

const { icons } = JSON.parse(readFileSync(new URL(import.meta.resolve('@iconify-json/lucide/icons.json')), 'utf8'));
const ELEMENT = /<(path|circle|rect|line|polyline|polygon|ellipse) ([^>]*?)\/?>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/** The attributes that the style sheet sets for every icon. */
const OF_ALL = [
  'fill="none"',
  'stroke="currentColor"',
  'stroke-linecap="round"',
  'stroke-linejoin="round"',
  'stroke-width="2"',
];

/** Turns `icon:x` into a list of the elements of Lucide's icon `x`, `[name, attributes]`, so that the browser parses nothing. */
const inlineIcons = {
  name: 'inline-icons',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('icon:') ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith('\0icon:')) return undefined;
    const name = id.slice('\0icon:'.length);
    if (!icons[name]) throw new Error(`Lucide has no icon ${name}`);
    const elements = Array.from(icons[name].body.matchAll(ELEMENT), ([, element, attributes]) => [
      element,
      Object.fromEntries(
        Array.from(attributes.matchAll(ATTRIBUTE))
          .filter(([text]) => !OF_ALL.includes(text))
          .map(([, key, value]) => [key, value]),
      ),
    ]);
    return `export default ${JSON.stringify(elements)};`;
  },
};

await build({
  root,
  base: '/console/',
  // The scripts find each other at any path. The service puts the path of PUBLIC_URL into the page.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
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

// The service worker and what the manifest names have fixed addresses.
cpSync(resolve(root, 'app'), resolve(root, '../dist/console/app'), { recursive: true });
