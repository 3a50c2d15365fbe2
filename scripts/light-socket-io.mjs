import { readFileSync } from 'node:fs';

// What follows replaces private parts of these versions. Before raising one, compare the new version's code with each replacement.
const WRITTEN_FOR = {
  '@socket.io/component-emitter': '3.1.2',
  'engine.io-client': '6.6.8',
  'engine.io-parser': '5.2.3',
  'socket.io-client': '4.8.4',
  'socket.io-parser': '4.2.7',
};

// Modules that replace larger ones of Socket.IO. The client connects by WebSocket, or by a transport whose class it loads if that fails, and
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
           const { uri, path } = this.opts;
           this.ws = new WebSocket(new URL(path + '?EIO=4&transport=websocket', uri).href.replace('http', 'ws'));
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
  // The page's timers, and without what other transports need.
  [
    /engine\.io-client.*\/esm\/util\.js$/,
    `export const installTimerFunctions = (to) => {
       to.setTimeoutFn = (work, delay) => setTimeout(work, delay);
       to.clearTimeoutFn = (timer) => clearTimeout(timer);
     };
     export const byteLength = undefined, pick = undefined, randomString = undefined;`,
  ],
  // Without the names that the library doesn't use.
  [
    /@socket\.io.*component-emitter.*\/esm\/index\.js$/,
    `export class Emitter {
       _all = {};
       on(event, listener) {
         this._all[event] = [...(this._all[event] ?? []), listener];
         return this;
       }
       once(event, listener) {
         const once = (...args) => {
           this.off(event, once);
           listener.apply(this, args);
         };
         return this.on(event, once);
       }
       off(event, listener) {
         this._all[event] = this._all[event]?.filter((one) => one !== listener);
         return this;
       }
       removeAllListeners(event) {
         if (event) this._all[event] = undefined;
         else this._all = {};
       }
       emitReserved(event, ...args) {
         for (const listener of this._all[event] ?? []) listener.apply(this, args);
         return this;
       }
       emit(event, ...args) {
         return this.emitReserved(event, ...args);
       }
     }`,
  ],
  // The delay between two attempts, with the options of the manager below.
  [
    /socket\.io-client.*\/contrib\/backo2\.js$/,
    `export class Backoff {
       attempts = 0;
       constructor(options) {
         this.options = options;
       }
       duration() {
         const { min, max, jitter } = this.options;
         return Math.min(min * 2 ** this.attempts++ * (1 + jitter * (2 * Math.random() - 1)), max);
       }
       reset() {
         this.attempts = 0;
       }
     }`,
  ],
  // Packets without binary data. A malformed packet throws, and the caller closes the connection.
  [
    /socket\.io-parser.*\/esm\/index\.js$/,
    `import { Emitter } from '@socket.io/component-emitter';
     export const protocol = 5;
     export const PacketType =
       { CONNECT: 0, DISCONNECT: 1, EVENT: 2, ACK: 3, CONNECT_ERROR: 4, BINARY_EVENT: 5, BINARY_ACK: 6 };
     export class Encoder {
       encode({ type, nsp, id, data }) {
         return [type + (nsp === '/' ? '' : nsp + ',') + (id ?? '') + (data == null ? '' : JSON.stringify(data))];
       }
     }
     export class Decoder extends Emitter {
       add(text) {
         const [, type, nsp = '/', id, json] = /^([0-4])(?:(\\/[^,]*),?)?(\\d*)([^]*)$/.exec(text);
         const data = json ? JSON.parse(json) : undefined;
         if ((type === '2' || type === '3') && !Array.isArray(data)) throw new Error('invalid payload');
         this.emitReserved('decoded', { type: +type, nsp, data, ...(id && { id: +id }) });
       }
       destroy() {}
     }`,
  ],
];

// Methods with other bodies, or null for unused methods, because bundlers don't remove unused methods. The connection is a WebSocket from the
// start, the library doesn't retry sends, and outgoing events have no listeners.
const METHODS = [
  [
    /engine\.io-client.*\/esm\/socket\.js$/,
    {
      constructor: `
        super();
        this.writeBuffer = [];
        this._prevBufferLen = 0;
        this._pingTimeoutTime = Infinity;
        installTimerFunctions(this, opts);
        this._transportsByName = DEFAULT_TRANSPORTS;
        this.opts = { ...opts, uri, socket: this };
        if (withEventListeners && !uri.includes('//localhost')) {
          this._offlineEventListener = () =>
            this._onClose('transport close', { description: 'network connection lost' });
          OFFLINE_EVENT_LISTENERS.push(this._offlineEventListener);
        }
        this._open();`,
      createTransport: `
        return new (this._transportsByName[name] ?? name)(this.opts);`,
      onHandshake: `
        this._pingInterval = data.pingInterval;
        this._pingTimeout = data.pingTimeout;
        this.onOpen();
        if (this.readyState !== 'closed') this._resetPingTimeout();`,
      _onError: `
        this.emitReserved('error', err);
        this._onClose('transport error', err);`,
      send: null,
      _open: `
        this.readyState = 'opening';
        const transport = this.createTransport(this.opts.transports[0]);
        transport.open();
        this.setTransport(transport);`,
      _probe: null,
      onOpen: `
        this.readyState = 'open';
        this.emitReserved('open');
        this.flush();`,
      _filterUpgrades: null,
      // Without the events that nothing listens to.
      _onPacket: `
        if (this.readyState === 'closed') return;
        const { type, data } = packet;
        if (type === 'open') this.onHandshake(JSON.parse(data));
        else if (type === 'ping') {
          this._sendPacket('pong');
          this._resetPingTimeout();
        } else if (type === 'error') this._onError(Object.assign(new Error('server error'), { code: data }));
        else if (type === 'message') this.emitReserved('data', data);`,
      flush: `
        if (this.readyState === 'closed' || !this.transport.writable || !this.writeBuffer.length) return;
        const packets = this._getWritablePackets();
        this.transport.send(packets);
        this._prevBufferLen = packets.length;`,
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
  [/engine\.io-client.*\/esm\/transport\.js$/, { createUri: null, _hostname: null, _port: null, _query: null }],
  [
    /socket\.io-client.*\/esm\/socket\.js$/,
    {
      send: null,
      _addToQueue: null,
      _drainQueue: null,
      compress: null,
      'get volatile': null,
      'get disconnected': null,
      prependAny: null,
      offAny: null,
      listenersAny: null,
      onAnyOutgoing: null,
      prependAnyOutgoing: null,
      offAnyOutgoing: null,
      listenersAnyOutgoing: null,
      notifyOutgoingListeners: null,
      emit: `
        args.unshift(ev);
        const packet = { type: PacketType.EVENT, data: args };
        if (typeof args.at(-1) === 'function') {
          packet.id = this.ids++;
          this._registerAckCallback(packet.id, args.pop());
        }
        if (this.connected && !this.io.engine?._hasPingExpired()) this.packet(packet);
        else this.sendBuffer.push(packet);
        this.flags = {};
        return this;`,
      emitBuffered: `
        this.receiveBuffer.forEach((args) => this.emitEvent(args));
        this.receiveBuffer = [];
        this.sendBuffer.forEach((packet) => this.packet(packet));
        this.sendBuffer = [];`,
      // The service doesn't keep what a lost connection missed.
      _sendConnectPacket: `this.packet({ type: PacketType.CONNECT, data });`,
      emitEvent: `
        for (const listener of this._anyListeners ?? []) listener.apply(this, args);
        super.emit.apply(this, args);`,
      onconnect: `
        this.id = id;
        this.connected = true;
        this.emitBuffered();
        this.emitReserved('connect');`,
      // Without the words for servers of Socket.IO 2, and without binary data.
      onpacket: `
        const { type, data, nsp } = packet;
        if (nsp !== this.nsp) return;
        if (type === PacketType.EVENT) this.onevent(packet);
        else if (type === PacketType.ACK) this.onack(packet);
        else if (type === PacketType.DISCONNECT) this.ondisconnect();
        else if (type === PacketType.CONNECT && data?.sid) this.onconnect(data.sid, data.pid);
        else {
          if (type !== PacketType.CONNECT) this.destroy();
          this.emitReserved('connect_error', Object.assign(new Error(data?.message), { data: data?.data }));
        }`,
    },
  ],
  // Only an address and the options that the widget and the console use.
  [
    /socket\.io-client.*\/esm\/manager\.js$/,
    {
      constructor: `
        super();
        this.nsps = {};
        this.subs = [];
        this.opts = opts;
        installTimerFunctions(this, opts);
        this._reconnection = this._autoConnect = true;
        this.backoff = new Backoff({
          min: opts.reconnectionDelay,
          max: opts.reconnectionDelayMax,
          jitter: opts.randomizationFactor,
        });
        this._timeout = opts.timeout;
        this._readyState = 'closed';
        this.uri = uri;
        this.encoder = new parser.Encoder();
        this.decoder = new parser.Decoder();
        this.open();`,
      reconnection: null,
      reconnectionAttempts: null,
      reconnectionDelay: null,
      randomizationFactor: null,
      reconnectionDelayMax: null,
      timeout: null,
      connect: null,
      disconnect: null,
      onping: null,
      onopen: `
        this.cleanup();
        this._readyState = 'open';
        this.emitReserved('open');
        const socket = this.engine;
        this.subs.push(
          on(socket, 'data', this.ondata.bind(this)),
          on(socket, 'error', this.onerror.bind(this)),
          on(socket, 'close', this.onclose.bind(this)),
          on(this.decoder, 'decoded', this.ondecoded.bind(this)),
        );`,
      // Until it's stopped.
      reconnect: `
        if (this._reconnecting || this.skipReconnect) return;
        this._reconnecting = true;
        const timer = this.setTimeoutFn(() => {
          if (this.skipReconnect) return;
          this.open((error) => {
            this._reconnecting = false;
            if (error) this.reconnect();
            else this.backoff.reset();
          });
        }, this.backoff.duration());
        this.subs.push(() => this.clearTimeoutFn(timer));`,
      onreconnect: null,
    },
  ],
];

/** Replaces the bodies of methods, or removes the methods. @throws Error if a method doesn't exist, because the library has changed */
function lighten(code, id) {
  const [, bodies = {}] = METHODS.find(([module]) => module.test(id)) ?? [];
  // The bundler drops an unused object only if making it has no effect.
  const marked = code.replace('RESERVED_EVENTS = Object', 'RESERVED_EVENTS = /* @__PURE__ */ Object');
  return Object.entries(bodies).reduce((light, [name, body]) => {
    const method = new RegExp(`^( {4}${name}\\(.*\\) \\{)\\n[^]*?^ {4}\\}$`, 'm');
    if (!method.test(light)) throw new Error(`${id} has no method ${name}`);
    return light.replace(method, body === null ? '' : `$1 ${body} }`);
  }, marked);
}

/** @throws Error if a package isn't in the version that the replacements were written for */
function checkVersions() {
  for (const [name, expected] of Object.entries(WRITTEN_FOR)) {
    const { version } = JSON.parse(
      readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
    );
    if (version === expected) continue;
    throw new Error(
      `${name} is ${version}, but scripts/light-socket-io.mjs replaces parts of ${expected}: compare them`,
    );
  }
}

/** A Vite plugin that removes from the Socket.IO client what current browsers and this service don't need. */
export const lightSocketIo = {
  name: 'light-socket-io',
  enforce: 'pre',
  buildStart: checkVersions,
  load: (id) => STUBS.find(([module]) => module.test(id))?.[1],
  // Marks them as free of side effects, so that the build drops unused modules of Socket.IO.
  transform: (code, id) =>
    /node_modules.*(engine|socket)\.io/.test(id)
      ? { code: lighten(code, id), map: null, moduleSideEffects: false }
      : undefined,
};
