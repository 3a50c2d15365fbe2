// Builds what sites embed, into dist/widget: first the panel, under a name that changes with its content and may be
// cached for good; then the launcher, widget.js, which knows that name.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

// What of Socket.IO the client never uses: it connects by WebSocket, asks over REST where that cannot be had, and neither it
// nor the service ever sends bytes. Nothing of the rest acts by being loaded.
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
  // Browsers can read an address themselves; an IPv6 one is named without its brackets.
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
  // Browsers need none of the options that Node and React Native take.
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
const lightSocketIo = {
  name: 'light-socket-io',
  enforce: 'pre',
  load: (id) => STUBS.find(([module]) => module.test(id))?.[1],
  transform: (code, id) =>
    /node_modules.*(engine|socket)\.io/.test(id) ? { code, map: null, moduleSideEffects: false } : undefined,
};

const panel = await bundle('widget/panel/start.tsx', {
  output: { format: 'es', entryFileNames: 'chat.[hash].js' },
  emptyOutDir: true,
  // Smaller than what the automatic runtime makes of the same.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'Group' },
    jsxInject: "import { h as createNode, Fragment as Group } from 'preact'",
  },
  // The launcher calls what the module exports.
  rolldownOptions: { preserveEntrySignatures: 'strict' },
});
await bundle('widget/launcher.ts', {
  output: { format: 'iife', entryFileNames: 'widget.js' },
  define: { __PANEL__: JSON.stringify(panel) },
  // A library gets none of Vite's own code around its import(). One of modules would keep its whitespace, hence not the panel.
  lib: { entry: 'widget/launcher.ts', formats: ['iife'], name: 'ParleyLauncher' },
});

/** Bundles one entry into one minified file, and answers its name. */
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
      // Nothing is rewritten for older browsers: what the style sheets use, every browser with adoptedStyleSheets has.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: resolve(root, entry),
        ...rolldownOptions,
        output: { ...output, codeSplitting: false, minify: { mangleProps: { include: /^_[a-z]/i, quoted: true } } },
      },
    },
  });
  const { output: files } = [built].flat()[0];
  return files.find((file) => file.isEntry).fileName;
}
