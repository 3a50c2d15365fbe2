// Builds the files that sites embed into dist/widget. First the panel: its name contains a hash of its content, so that
// browsers may cache it forever. Then the launcher, widget.js, which contains that name.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

// Modules that replace larger ones of Socket.IO. The client connects by WebSocket, or uses REST where that fails, and
// neither the client nor the service sends binary data.
const STUBS = [
  [
    /engine\.io-client.*\/transports\/index\.js$/,
    `import { WS } from './websocket.js'; export const transports = { websocket: WS };`,
  ],
  [
    /engine\.io-parser.*\/encodePacket\.browser\.js$/,
    `import { PACKET_TYPES } from './commons.js';
     export const encodePacket = ({ type, data }, _, done) => done(PACKET_TYPES[type] + (data || ''));
     export const encodePacketToBinary = undefined;`,
  ],
  [
    /engine\.io-parser.*\/decodePacket\.browser\.js$/,
    `import { ERROR_PACKET, PACKET_TYPES_REVERSE } from './commons.js';
     export const decodePacket = (text) => {
       const type = PACKET_TYPES_REVERSE[text[0]];
       return type ? { type, data: text.slice(1) || undefined } : ERROR_PACKET;
     };`,
  ],
  // Every supported browser has promises and `globalThis`.
  [
    /engine\.io-client.*\/globals\.js$/,
    `export const nextTick = (work) => Promise.resolve().then(work);
     export const globalThisShim = globalThis;
     export const defaultBinaryType = 'arraybuffer';
     export const createCookieJar = () => {};`,
  ],
  // Browsers can parse addresses and queries. The host of an IPv6 address has no brackets here.
  [
    /engine\.io-client.*\/contrib\/parseuri\.js$/,
    `export const parse = (text) => {
       const { hostname, port, protocol, search } = new URL(text);
       return { host: hostname.replace(/[[\\]]/g, ''), port, protocol: protocol.slice(0, -1), query: search.slice(1) };
     };`,
  ],
  [
    /engine\.io-client.*\/contrib\/parseqs\.js$/,
    `export const encode = (query) => new URLSearchParams(query).toString();
     export const decode = (text) => Object.fromEntries(new URLSearchParams(text));`,
  ],
  // The WebSocket transport without the options for Node and React Native, and without binary data.
  [
    /engine\.io-client.*\/transports\/websocket\.js$/,
    `import { Transport } from '../transport.js';
     import { encodePacket } from 'engine.io-parser';
     import { nextTick } from '../globals.node.js';
     export class WS extends Transport {
       get name() {
         return 'websocket';
       }
       doOpen() {
         try {
           this.ws = new WebSocket(this.createUri(this.opts.secure ? 'wss' : 'ws', this.query));
         } catch (error) {
           return this.emitReserved('error', error);
         }
         this.ws.onopen = () => this.onOpen();
         this.ws.onclose = (context) => this.onClose({ description: 'websocket connection closed', context });
         this.ws.onmessage = ({ data }) => this.onData(data);
         this.ws.onerror = (error) => this.onError('websocket error', error);
       }
       write(packets) {
         this.writable = false;
         for (const packet of packets) encodePacket(packet, true, (data) => this.ws.send(data));
         nextTick(() => {
           this.writable = true;
           this.emitReserved('drain');
         }, this.setTimeoutFn);
       }
       doClose() {
         if (!this.ws) return;
         this.ws.onerror = () => {};
         this.ws.close();
         this.ws = null;
       }
     }`,
  ],
  [/socket\.io-parser.*\/is-binary\.js$/, 'export const isBinary = () => false, hasBinary = isBinary;'],
  [
    /socket\.io-parser.*\/binary\.js$/,
    'export const deconstructPacket = (packet) => packet, reconstructPacket = deconstructPacket;',
  ],
];
// Socket.IO begins the names of private properties with `_`: they become short ones, in `x['_name']` as well.
const PRIVATE_PROPERTIES = { include: /^_[a-z]/i, quoted: true };

const lightSocketIo = {
  name: 'light-socket-io',
  enforce: 'pre',
  load: (id) => STUBS.find(([module]) => module.test(id))?.[1],
  // Without side effects, so that the build drops the modules of Socket.IO that nothing uses.
  transform: (code, id) =>
    /node_modules.*(engine|socket)\.io/.test(id) ? { code, map: null, moduleSideEffects: false } : undefined,
};

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
