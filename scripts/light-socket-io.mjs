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

// Methods that nothing here calls, and what takes the place of a body: a class is not shaken. The connection is a WebSocket from
// its begin, sends are not repeated by the library, and outgoing events have no listeners.
const METHODS = [
  [
    /engine\.io-client.*\/esm\/socket\.js$/,
    {
      send: '',
      _open: `
        this.readyState = 'opening';
        const transport = this.createTransport('websocket');
        transport.open();
        this.setTransport(transport);`,
      _probe: '',
      onOpen: `
        this.readyState = 'open';
        this.emitReserved('open');
        this.flush();`,
      _filterUpgrades: 'return [];',
      _getWritablePackets: 'return this.writeBuffer;',
      _sendPacket: `
        if (this.readyState === 'closing' || this.readyState === 'closed') return;
        this.writeBuffer.push({ type, data });
        this.flush();`,
      close: `
        if (this.readyState !== 'opening' && this.readyState !== 'open') return this;
        this.readyState = 'closing';
        const close = () => {
          this._onClose('forced close');
          this.transport.close();
        };
        if (this.writeBuffer.length > 0) this.once('drain', close);
        else close();
        return this;`,
    },
  ],
  [
    /socket\.io-client.*\/esm\/socket\.js$/,
    {
      send: '',
      _addToQueue: '',
      _drainQueue: '',
      compress: '',
      'get volatile': '',
      'get disconnected': '',
      prependAny: '',
      offAny: '',
      listenersAny: '',
      onAnyOutgoing: '',
      prependAnyOutgoing: '',
      offAnyOutgoing: '',
      listenersAnyOutgoing: '',
      notifyOutgoingListeners: '',
    },
  ],
  [
    /socket\.io-parser.*\/esm\/index\.js$/,
    {
      encodeAsBinary: '',
      takeBinaryData: '',
      destroy: '',
      add: 'super.emitReserved("decoded", this.decodeString(obj));',
    },
  ],
];

/** Replaces the bodies of methods. @throws Error when a method is not there: the library has changed */
function lighten(code, id) {
  const [, bodies = {}] = METHODS.find(([module]) => module.test(id)) ?? [];
  return Object.entries(bodies).reduce((light, [name, body]) => {
    const method = new RegExp(`^( {4}${name}\\(.*\\) \\{)\\n[^]*?^ {4}\\}$`, 'm');
    if (!method.test(light)) throw new Error(`${id} has no method ${name}`);
    return light.replace(method, `$1 ${body} }`);
  }, code);
}

/** A plugin of Vite that leaves out of the Socket.IO client what browsers of today and this service do not need. */
export const lightSocketIo = {
  name: 'light-socket-io',
  enforce: 'pre',
  load: (id) => STUBS.find(([module]) => module.test(id))?.[1],
  // Without side effects, so that the build drops the modules of Socket.IO that nothing uses.
  transform: (code, id) =>
    /node_modules.*(engine|socket)\.io/.test(id)
      ? { code: lighten(code, id), map: null, moduleSideEffects: false }
      : undefined,
};
