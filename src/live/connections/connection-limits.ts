import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { Config } from '../../platform/config/config.js';
import { type Recipient, UnsentBytes } from '../../platform/http/server/unsent-bytes.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import type { DisconnectReason } from '../feeds/disconnects.js';

/** The longest packet or poll body, in bytes. Each event has a lower limit, checked before it is parsed. */
export const MAX_PACKET_BYTES = 262_144;
/** The longest packet of a connection without a namespace, in characters. */
export const MAX_EARLY_PACKET_CHARACTERS = 4_096;
/** The most packets of a connection without a namespace: a request for one, and heartbeats. */
const MAX_EARLY_PACKETS = 20;
/** The connection is closed after this many refused requests for a namespace in a row. */
const MAX_REFUSALS = 5;
/** The most requests of one connection that run at the same time. */
const MAX_RUNNING = 8;
/** The most waiting requests of one connection; beyond it the connection is closed. */
const MAX_WAITING = 1_000;
/** While more bytes of earlier answers than this are unread, no further request runs. */
const MAX_UNREAD_BYTES = 262_144;
/** The connection is closed when it sends this many times its audience's rate limit in a second. */
const FLOOD_FACTOR = 3;
const SECOND_MS = 1_000;

/** The members of an Engine.IO connection that are used here. */
export interface EngineConnection {
  readonly readyState: string;
  readonly transport: EngineTransport;
  on(event: 'packet' | 'packetCreate', listener: (packet: EnginePacket) => void): void;
  on(event: 'flush' | 'upgrade' | 'close', listener: () => void): void;
  close(discard: boolean): void;
}

/** A WebSocket, or the pending answer to a poll. */
interface EngineTransport {
  readonly socket?: WebSocket;
  readonly res?: ServerResponse | null;
}

interface EnginePacket {
  type: string;
  data?: unknown;
}

/** The first character of a Socket.IO packet that requests or grants a namespace, and of one that refuses it. */
const CONNECT = 48;
const CONNECT_ERROR = 52;

/** The beginning of the packet that grants the agents' namespace. */
const AGENT_CONNECTED = '0/agent,';

const WATCHED = Symbol('connection');

type WatchedEngine = EngineConnection & { [WATCHED]: Connection };
/** A WebSocket has the number of its packets before it has a connection. */
type WatchedWebSocket = WebSocket & { [WATCHED]: Connection | number };

/** The state of one connection: what it sent, what was sent to it, and its running requests. */
class Connection implements Recipient {
  hasNamespace = false;
  /** The most packets in a second, once it has a namespace. */
  maxPackets = 0;
  isConnecting = false;
  refusals = 0;
  earlyPackets = 0;
  packets = 0;
  secondBegan = 0;
  active = 0;
  /** Bytes that the transport hasn't sent yet. */
  queued = 0;
  readonly waiting: (() => void)[] = [];

  constructor(
    private readonly engine: EngineConnection,
    readonly limits: ConnectionLimits,
  ) {}

  get unsent(): number {
    if (this.engine.readyState === 'closed') return 0;
    return this.queued + (this.engine.transport.socket?.bufferedAmount ?? 0);
  }

  get isBusy(): boolean {
    return this.active >= MAX_RUNNING || this.unsent > MAX_UNREAD_BYTES;
  }

  onCaughtUp(): void {
    this.limits.runWaiting(this);
  }

  /** Applies the limits of a namespace. @param maxPackets a second */
  join(maxPackets: number): void {
    this.hasNamespace = true;
    this.maxPackets = Math.max(this.maxPackets, maxPackets);
    this.isConnecting = false;
    this.refusals = 0;
    this.widen();
  }

  /** Lets the WebSocket accept larger packets once the connection has a namespace. The library has no option for it. */
  widen(): void {
    const { socket } = this.engine.transport as { socket?: { _receiver?: { _maxPayload: number } | null } };
    if (this.hasNamespace && socket?._receiver) socket._receiver._maxPayload = MAX_PACKET_BYTES;
  }

  pause(): void {
    this.engine.transport.socket?.pause();
  }

  resume(): void {
    this.engine.transport.socket?.resume();
  }

  end(): void {
    const { socket } = this.engine.transport;
    this.waiting.length = 0;
    this.engine.close(true);
    // Skips the closing handshake, which needs a client that reads.
    socket?.terminate();
  }
}

/**
 * Limits each connection, before and while it has a namespace: how much it sends, how many of its requests run at the same
 * time, and how much it leaves unread (docs/operate/security.md). The checks need no query, and run before a packet is parsed.
 */
@Injectable()
export class ConnectionLimits {
  private readonly maxOfVisitor: number;
  private readonly maxOfAgent: number;

  constructor(
    private readonly unsent: UnsentBytes,
    private readonly metrics: LiveMetrics,
    { VISITOR_RATE_LIMIT, AGENT_RATE_LIMIT }: Config,
  ) {
    this.maxOfVisitor = floodOf(VISITOR_RATE_LIMIT);
    this.maxOfAgent = floodOf(AGENT_RATE_LIMIT);
  }

  /** Watches a new connection. */
  watch(engine: EngineConnection): void {
    const connection = new Connection(engine, this);
    const watched = engine as WatchedEngine;
    watched[WATCHED] = connection;
    // No closures or maps, because every idle visitor would pay for their memory.
    watched.on('packet', onPacket);
    watched.on('packetCreate', onPacketCreate);
    watched.on('flush', onFlush);
    watched.on('upgrade', onUpgrade);
    watched.on('close', onClose);
    this.adopt(connection, engine.transport.socket);
  }

  /** Runs a request in order of arrival: a few of one connection at a time, none while the client leaves answers unread. */
  async run(engine: object, work: () => Promise<void>): Promise<void> {
    const { [WATCHED]: connection } = engine as WatchedEngine;
    if (connection.isBusy || connection.waiting.length > 0) await this.wait(connection);
    else connection.active++;
    try {
      await work();
    } finally {
      connection.active--;
      this.runWaiting(connection);
    }
  }

  /** Whether a connection has joined a namespace. */
  hasNamespace(engine: object): boolean {
    return (engine as WatchedEngine)[WATCHED].hasNamespace;
  }

  private wait(connection: Connection): Promise<void> {
    const isTooMuch = connection.waiting.length >= MAX_WAITING;
    if (isTooMuch) this.end(connection, 'too_many_requests');
    else connection.pause();
    // Requests that wait when the connection closes are dropped: their promises never resolve.
    return new Promise((resolve) => isTooMuch || connection.waiting.push(resolve));
  }

  runWaiting(connection: Connection): void {
    const { waiting } = connection;
    if (waiting.length === 0) return;
    while (waiting.length > 0 && !connection.isBusy) {
      connection.active++;
      waiting.shift()!();
    }
    if (waiting.length === 0) connection.resume();
  }

  /** Checks a packet before it is parsed. */
  onPacket(connection: Connection, { type, data }: EnginePacket): void {
    if (!this.count(connection) || type !== 'message') return;
    const isConnect = typeof data === 'string' && data.charCodeAt(0) === CONNECT;
    const isEarly = !connection.hasNamespace;
    if (isEarly && (!isConnect || data.length > MAX_EARLY_PACKET_CHARACTERS))
      return this.end(connection, 'not_connected');
    if (!isConnect) return;
    if (connection.isConnecting) return this.end(connection, 'too_many_connects');
    connection.isConnecting = true;
  }

  // The WebSocket answers a ping by itself. Here the ping is counted, and its unsent answer is watched.
  onPing(connection: Connection): void {
    if (this.count(connection)) this.unsent.watch(connection, 0);
  }

  /** Returns false if the connection sent too much and was closed. */
  private count(connection: Connection): boolean {
    const isTooMuch = connection.hasNamespace
      ? this.isFlood(connection)
      : ++connection.earlyPackets > MAX_EARLY_PACKETS;
    if (isTooMuch) this.end(connection, 'flood');
    return !isTooMuch;
  }

  private isFlood(connection: Connection): boolean {
    const now = performance.now();
    if (now - connection.secondBegan > SECOND_MS) {
      connection.secondBegan = now;
      connection.packets = 0;
    }
    return ++connection.packets > connection.maxPackets;
  }

  /** Counts the bytes that are passed to the transport. */
  onWrite(connection: Connection, data: unknown): void {
    if (typeof data !== 'string') return;
    const type = data.charCodeAt(0);
    // The library's answer to a request for a namespace.
    if (type === CONNECT) connection.join(data.startsWith(AGENT_CONNECTED) ? this.maxOfAgent : this.maxOfVisitor);
    else if (type === CONNECT_ERROR) this.onRefused(connection);
    connection.queued += data.length;
    this.unsent.watch(connection, data.length);
  }

  private onRefused(connection: Connection): void {
    connection.isConnecting = false;
    // Deferred, so that the last refusal is sent.
    if (++connection.refusals >= MAX_REFUSALS) setImmediate(() => this.end(connection, 'too_many_connects'));
  }

  onFlush(connection: Connection, { transport }: EngineConnection): void {
    const bytes = connection.queued;
    connection.queued = 0;
    if (transport.res) this.unsent.watchResponse(transport.res, bytes);
  }

  /** Applies the connection's limits to its WebSocket, which replace the limits from `boundEarly`. */
  adopt(connection: Connection, socket: WebSocket | undefined): void {
    if (!socket) return;
    (socket as WatchedWebSocket)[WATCHED] = connection;
    for (const event of ['message', 'ping']) socket.off(event, onEarlyPacket);
    socket.on('ping', onPing);
    connection.widen();
  }

  private end(connection: Connection, reason: DisconnectReason): void {
    this.metrics.onEnded(reason);
    connection.end();
  }
}

/** @param rateLimit requests a second; 0: no limit */
function floodOf(rateLimit: number): number {
  return rateLimit === 0 ? Number.POSITIVE_INFINITY : rateLimit * FLOOD_FACTOR;
}

function onPacket(this: EngineConnection, packet: EnginePacket): void {
  const { [WATCHED]: connection } = this as WatchedEngine;
  connection.limits.onPacket(connection, packet);
}

function onPacketCreate(this: EngineConnection, { data }: EnginePacket): void {
  const { [WATCHED]: connection } = this as WatchedEngine;
  connection.limits.onWrite(connection, data);
}

function onFlush(this: EngineConnection): void {
  const { [WATCHED]: connection } = this as WatchedEngine;
  connection.limits.onFlush(connection, this);
}

function onUpgrade(this: EngineConnection): void {
  const { [WATCHED]: connection } = this as WatchedEngine;
  connection.limits.adopt(connection, this.transport.socket);
}

function onClose(this: EngineConnection): void {
  (this as WatchedEngine)[WATCHED].waiting.length = 0;
}

function onPing(this: WebSocket): void {
  const { [WATCHED]: connection } = this as WatchedWebSocket;
  if (typeof connection === 'object') connection.limits.onPing(connection);
}

function onEarlyPacket(this: WebSocket): void {
  const watched = this as WatchedWebSocket;
  if (typeof watched[WATCHED] === 'number' && ++watched[WATCHED] > MAX_EARLY_PACKETS) this.terminate();
}

/** Limits what a WebSocket sends before it belongs to a connection: until it replaces polling, only Engine.IO reads it. */
export function boundEarly(socket: WebSocket): void {
  (socket as WatchedWebSocket)[WATCHED] = 0;
  for (const event of ['message', 'ping']) socket.on(event, onEarlyPacket);
}
