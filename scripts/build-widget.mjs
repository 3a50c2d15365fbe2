// Builds the files that sites embed into dist/widget. First what is loaded when it is needed: the words of each language, and
// the parts of the panel. Then the panel, which contains the names of its parts, and last the launcher, widget.js, which
// contains the name of the panel. All names but that of the launcher contain a hash of the content, so that browsers may
// cache the files forever.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { lightSocketIo } from './light-socket-io.mjs';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const folder = resolve(root, 'dist/widget');

// Socket.IO begins the names of private properties with `_`: they become short ones, in `x['_name']` as well.
const PRIVATE_PROPERTIES = { include: /^_[a-z]/i, quoted: true };
// The output is smaller than with the automatic runtime.
const JSX = {
  jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'Group' },
  jsxInject: "import { h as createNode, Fragment as Group } from 'preact'",
};
/** Modules that a part takes from the panel, as widget/panel/parts.ts provides them. */
const SHARED = /^preact(\/hooks)?$|\/panel\/(header|icon|rich|lib\/(context|focus|observable|tab-storage))\.js$/;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const define = { __WORDS__: JSON.stringify(await buildWords()) };
for (const name of readdirSync(resolve(root, 'widget/parts'))) {
  define[`__${name.toUpperCase()}__`] = JSON.stringify(await buildPart(name));
}
const panel = await bundle('widget/panel/start.tsx', { format: 'es', oxc: JSX, define });
define.__PANEL__ = JSON.stringify(write('chat', panel));
const launcher = await bundle('widget/launcher.ts', {
  format: 'iife',
  define,
  // Vite adds no code around the import() of a library. The panel is not one: Vite keeps the whitespace of ES libraries.
  lib: { entry: 'widget/launcher.ts', formats: ['iife'], name: 'ParleyLauncher' },
});
writeFileSync(resolve(folder, 'widget.js'), launcher);

/**
 * Builds a file for each language, and returns the hash of all of them: one hash is less for the launcher to carry. What reads the
 * organization's settings is in each: both are needed before the panel, and one file is less to load.
 */
async function buildWords() {
  const sources = readdirSync(resolve(root, 'widget/locales')).map((name) => basename(name, '.ts'));
  const files = await Promise.all(
    sources.map(async (language) => {
      const [words, settings] = [`locales/${language}`, 'settings/settings'].map((path) =>
        JSON.stringify(resolve(root, 'widget', path)),
      );
      const source = `export { ${language} as default } from ${words};export { choose } from ${settings};`;
      return [language, await bundle(`words:${language}`, { format: 'es', source })];
    }),
  );
  const hash = hashOf(JSON.stringify(files));
  for (const [language, code] of files) writeFileSync(resolve(folder, `words.${language}.${hash}.js`), code);
  return hash;
}

/**
 * Builds a part of the panel, and returns its file's name. It exports a function that takes what it shares with the panel. With
 * an import of the panel's file it would get a second copy, where a browser has the panel by another address.
 */
async function buildPart(name) {
  const code = await bundle(`widget/parts/${name}/${name}.tsx`, { format: 'cjs', oxc: JSX, external: SHARED });
  return write(name, `export default(shared)=>{let exports={},require=()=>shared;${code};return exports};`);
}

/** Bundles one entry into one minified file, and returns its code. @param source the entry, when it is no file */
async function bundle(entry, { format, source, external, define: defined, oxc, lib }) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: defined,
    plugins: [lightSocketIo, source && virtual(entry, source), external && sharing(external)],
    oxc,
    build: {
      write: false,
      lib,
      // Every browser with adoptedStyleSheets supports what the style sheets use: nothing is rewritten for older ones.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: source ? entry : resolve(root, entry),
        // The exports are called from outside.
        preserveEntrySignatures: 'strict',
        output: { format, codeSplitting: false, minify: { mangleProps: PRIVATE_PROPERTIES } },
      },
    },
  });
  const { output: files } = [built].flat()[0];
  return files.find((file) => file.isEntry).code;
}

/** A plugin that provides an entry that is no file. */
function virtual(id, source) {
  return {
    name: 'virtual',
    resolveId: (wanted) => (wanted === id ? id : undefined),
    load: (wanted) => (wanted === id ? source : undefined),
  };
}

/** A plugin that leaves the shared modules out: `require` answers all of them with what the panel gives. */
function sharing(shared) {
  return {
    name: 'sharing',
    enforce: 'pre',
    resolveId: (id) => (shared.test(id) ? { id: 'shared', external: true } : undefined),
  };
}

/** Writes a file whose name contains a hash of its content, and returns the name. */
function write(name, code) {
  const file = `${name}.${hashOf(code)}.js`;
  writeFileSync(resolve(folder, file), code);
  return file;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
