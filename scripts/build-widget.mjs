// Builds the files that sites embed into dist/widget. First the files that load on demand: the words of each language, and the parts
// of the panel. Then the panel, which contains its parts' names, and last the launcher, widget.js, which contains the panel's name.
// All names except the launcher's contain a content hash, so that browsers may cache the files forever.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { lightSocketIo } from './light-socket-io.mjs';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const folder = resolve(root, 'dist/widget');

// Socket.IO's private properties begin with `_`. They get short names, even in `x['_name']`.
const PRIVATE_PROPERTIES = { include: /^_[a-z]/i, quoted: true };
// Smaller than the automatic runtime's output.
const JSX = {
  jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'Group' },
  jsxInject: "import { h as createNode, Fragment as Group } from 'preact'",
};
/** A page that was open during an upgrade has the panel of the earlier release, which may have another name for it. */
const ALIAS = 'shared.usePanel??=shared.useKit;';
/** Modules that a part gets from the panel, through widget/panel/parts.ts. */
const SHARED =
  /^preact(\/hooks)?$|(headless|\.\.)\/errors\.js$|\/panel\/(header|icon|parts|rich|lib\/(context|focus|observable|tab-storage))\.js$/;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** The globals that are the page's, wherever the code runs. */
const PAGE = Object.fromEntries(
  ['document', 'history', 'location', 'navigator'].map((name) => [name, [resolve(root, 'widget/realm/page.ts'), name]]),
);

const proactive = await bundle('widget/proactive/proactive.ts', { format: 'es' });
const define = { __PROACTIVE__: JSON.stringify(write('proactive', proactive)) };
define.__BUTTON__ = JSON.stringify(write('button', await bundle('widget/button/button.ts', { format: 'es' })));
define.__SITE__ = JSON.stringify(write('site', await bundle('widget/site/site.ts', { format: 'es', define })));
define.__WORDS__ = JSON.stringify(await buildWords(define));
define.__FILE_WORDS__ = JSON.stringify(await buildFileWords());
for (const name of readdirSync(resolve(root, 'widget/parts'))) {
  define[`__${name.toUpperCase()}__`] = JSON.stringify(await buildPart(name));
}
const road = await bundle('widget/road/road.ts', { format: 'es', mangleProps: null });
define.__ROAD__ = JSON.stringify(write('road', road));
define.__FACTS__ = JSON.stringify(write('facts', await bundle('widget/facts/facts.ts', { format: 'es' })));
define.__COMMANDS__ = JSON.stringify(write('commands', await bundle('widget/commands/commands.ts', { format: 'es' })));
const panel = await bundle('widget/panel/start.tsx', { format: 'es', oxc: JSX, define });
define.__PANEL__ = JSON.stringify(write('panel', panel));
const realm = await bundle('widget/realm/realm.ts', { format: 'es', inject: {} });
define.__REALM__ = JSON.stringify(write('realm', realm));
const launcher = await bundle('widget/launcher.ts', {
  format: 'iife',
  inject: {},
  define,
  // In a library, Vite adds no code around import(). The panel isn't a library, because Vite keeps the whitespace of ES libraries.
  lib: { entry: 'widget/launcher.ts', formats: ['iife'], name: 'ParleyLauncher' },
});
writeFileSync(resolve(folder, 'widget.js'), launcher);

/**
 * Builds a file for each language. @param define names of files that it loads. Returns one hash of all of them, which keeps the launcher small. Each file also has the code that
 * reads the organization's settings: both are needed before the panel, and this saves a request.
 */
async function buildWords(define) {
  const sources = readdirSync(resolve(root, 'widget/locales')).map((name) => basename(name, '.ts'));
  const files = await Promise.all(
    sources.map(async (language) => {
      const [words, settings] = [`locales/${language}`, 'settings/settings'].map((path) =>
        JSON.stringify(resolve(root, 'widget', path)),
      );
      const source = `export { ${exportOf(language)} as default } from ${words};export { choose } from ${settings};`;
      return [language, await bundle(`words:${language}`, { format: 'es', source, define })];
    }),
  );
  // The launcher asks by the region.
  const [, traditional] = files.find(([language]) => language === 'zh-Hant');
  return writeWords('words', [...files, ...['TW', 'HK', 'MO'].map((region) => [`zh-${region}`, traditional])]);
}

/** Builds the words about files, which load with the first file, and returns their hash. */
async function buildFileWords() {
  const sources = readdirSync(resolve(root, 'headless/file-words')).map((name) => basename(name, '.ts'));
  const files = await Promise.all(
    sources.map(async (language) => {
      const path = JSON.stringify(resolve(root, 'headless/file-words', language));
      const source = `export { ${exportOf(language)} as default } from ${path};`;
      return [language, await bundle(`filewords:${language}`, { format: 'es', source })];
    }),
  );
  return writeWords('filewords', files);
}

/** `zhHant` for `zh-Hant`. */
function exportOf(language) {
  return language.replace('-', '');
}

function writeWords(name, files) {
  const hash = hashOf(JSON.stringify(files));
  for (const [language, code] of files) writeFileSync(resolve(folder, `${name}.${language}.${hash}.js`), code);
  return hash;
}

/**
 * Builds a part of the panel, and returns its file name. It exports a function that takes the modules shared with the panel. If it
 * imported the panel's file, a browser that has the panel from another address would load a second copy.
 */
async function buildPart(name) {
  const code = await bundle(`widget/parts/${name}/${name}.tsx`, { format: 'cjs', oxc: JSX, external: SHARED, define });
  return write(name, `export default(shared,exports={},require=()=>shared)=>{${ALIAS}${code};return exports};`);
}

/**
 * Bundles one entry into one minified file, and returns its code.
 * @param source the entry's code, if it isn't a file
 * @param mangleProps null keeps the names of Socket.IO's private properties, because another file uses them
 */
async function bundle(
  entry,
  { format, source, external, define: defined, oxc, lib, inject = PAGE, mangleProps = PRIVATE_PROPERTIES },
) {
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
      // Every browser with adoptedStyleSheets supports what the style sheets use, so nothing is rewritten.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        transform: { inject },
        input: source ? entry : resolve(root, entry),
        // The exports are called from outside.
        preserveEntrySignatures: 'strict',
        output: {
          format,
          codeSplitting: false,
          generatedCode: { symbols: false },
          minify: mangleProps ? { mangleProps } : true,
        },
      },
    },
  });
  const { output: files } = [built].flat()[0];
  return files.find((file) => file.isEntry).code;
}

/** A plugin that provides an entry from its code. */
function virtual(id, source) {
  return {
    name: 'virtual',
    resolveId: (wanted) => (wanted === id ? id : undefined),
    load: (wanted) => (wanted === id ? source : undefined),
  };
}

/** A plugin that replaces the shared modules by the panel's. */
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
