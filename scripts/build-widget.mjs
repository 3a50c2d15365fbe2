// Builds the files that sites embed into dist/widget. First the panel: its name contains a hash of its content, so that
// browsers may cache it forever. Then the launcher, widget.js, which contains that name.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { lightSocketIo } from './light-socket-io.mjs';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

// Socket.IO begins the names of private properties with `_`: they become short ones, in `x['_name']` as well.
const PRIVATE_PROPERTIES = { include: /^_[a-z]/i, quoted: true };

const panel = await bundle('widget/panel/start.tsx', {
  output: { format: 'es', entryFileNames: 'chat.[hash].js' },
  emptyOutDir: true,
  // The output is smaller than with the automatic runtime.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'Group' },
    jsxInject: "import { h as createNode, Fragment as Group } from 'preact'",
  },
  // The launcher calls the exports of this module.
  rolldownOptions: { preserveEntrySignatures: 'strict' },
});
await bundle('widget/launcher.ts', {
  output: { format: 'iife', entryFileNames: 'widget.js' },
  define: { __PANEL__: JSON.stringify(panel) },
  // Vite adds no code around the import() of a library. The panel is not one: Vite keeps the whitespace of ES libraries.
  lib: { entry: 'widget/launcher.ts', formats: ['iife'], name: 'ParleyLauncher' },
});

/** Bundles one entry into one minified file, and returns the file's name. */
async function bundle(entry, { output, define, oxc, rolldownOptions, lib, emptyOutDir = false }) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    plugins: [lightSocketIo],
    oxc,
    build: {
      outDir: 'dist/widget',
      emptyOutDir,
      lib,
      // Every browser with adoptedStyleSheets supports what the style sheets use: nothing is rewritten for older ones.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: resolve(root, entry),
        ...rolldownOptions,
        output: { ...output, codeSplitting: false, minify: { mangleProps: PRIVATE_PROPERTIES } },
      },
    },
  });
  const { output: files } = [built].flat()[0];
  return files.find((file) => file.isEntry).fileName;
}
