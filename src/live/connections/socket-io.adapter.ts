import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { IncomingMessage } from 'node:http';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { type ServerOptions as WebSocketOptions, WebSocketServer } from 'ws';
import { ClientAddress } from '../../auth/limits/client-address.js';
import { PublicRate } from '../../auth/limits/public-rate.js';
import type { Config } from '../../platform/config/config.js';
import type { Problem } from '../../platform/errors/problem.js';
import type { BodySize } from '../../platform/validation/body-size.js';
import { timedOut } from '../../platform/http/responses/deadline.js';
import { limitOfBody } from '../../platform/http/requests/route-limits.js';
import { TIME_LIMITS_MS } from '../../platform/lib/time-limits.js';
import { type AckFailure, toAckFailure } from './ack.filter.js';
import { boundPolls, type PollingConnection } from './bounded-polls.js';
import {
  boundEarly,
  ConnectionLimits,
  type EngineConnection,
  MAX_EARLY_PACKET_CHARACTERS,
  MAX_PACKET_BYTES,
} from './connection-limits.js';
import { exactParser } from './exact-parser.js';
import { limitHandshakes } from './handshake-rate.js';
import { type FlushingConnection, joinWrites } from './joined-writes.js';
import { SocketFailures } from './socket-failures.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { oneOrigin } from './one-origin.js';

/** A connection without a namespace is closed after this time, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The most fragments of a WebSocket message, because each costs more than its bytes. */
const MAX_FRAGMENTS = 64;
/** How long a client may take to answer the closing handshake of a WebSocket, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

type Answer = { ok: true } | AckFailure;
type EngineSocket = EngineConnection &
  FlushingConnection &
  PollingConnection & { request: IncomingMessage; once: (e: string, f: () => void) => void };
type Ack = (answer: Answer) => void;
type Handler = MessageMappingProperties['callback'];

const HANDLERS = Symbol('handlers');

type HandledSocket = Socket & { [HANDLERS]?: Handler[] };
type Listener = (this: HandledSocket, ...args: unknown[]) => void;

/** The Socket.IO server with the limits of docs/operate/security.md. */
export class SocketIoAdapter extends IoAdapter {
  private readonly connections = new Map<string, number>();
  /** The listeners of requests, by the index of their handler and their name. */
  private readonly listeners = new Map<string, Listener>();
  readonly limits: ConnectionLimits;
  readonly metrics: LiveMetrics;
  private readonly address: ClientAddress;
  readonly rate: PublicRate;
  readonly failures: SocketFailures;

  /** @param events the largest payload of each event */
  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
    private readonly events: ReadonlyMap<string, BodySize>,
  ) {
    super(app);
    this.limits = app.get(ConnectionLimits);
    this.metrics = app.get(LiveMetrics);
    this.address = app.get(ClientAddress);
    this.rate = app.get(PublicRate);
    this.failures = app.get(SocketFailures);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const limits: Partial<ServerOptions> = {
      wsEngine: StrictWebSocketServer,
      // Bytes can be counted only after they are compressed, which costs a millisecond for each request.
      httpCompression: false,
      maxHttpBufferSize: MAX_PACKET_BYTES,
      parser: exactParser(this.events, limitOfBody(undefined)),
      connectTimeout: CONNECT_TIMEOUT_MS,
      transports: [...this.config.SOCKET_TRANSPORTS],
      cors: { origin: '*' },
      allowRequest: (request, decide) => this.decide(request, decide),
    };
    const server = super.createIOServer(port, { ...options, ...limits } as ServerOptions) as Server;
    server.engine.use(limitHandshakes(server, this));
    server.engine.use(oneOrigin(server, this.config));
    server.engine.on('connection', (socket: EngineSocket) => {
      this.limits.watch(socket);
      joinWrites(socket);
      boundPolls(socket);
      const address = this.address.of(socket.request);
      this.count(address, 1);
      socket.once('close', () => this.count(address, -1));
    });
    return server;
  }

  /** Starts each request's deadline on arrival, before the gateway's middleware. */
  override bindClientConnect(server: Server, callback: (socket: Socket) => void): void {
    server.on('connection', (socket: Socket) => {
      socket.use((request, next) => {
        const last = request.length - 1;
        const ack: unknown = request[last];
        const onLate = (problem: Problem) => this.failures.log(problem, { request: this.nameOf(request[0]) });
        if (typeof ack === 'function') request[last] = answerInTime(ack as Ack, onLate);
        next();
      });
      callback(socket);
    });
  }

  /**
   * Adds one listener for each kind of request, which all sockets share. Nest would create a stream for each, which took half of an
   * idle visitor's memory. The gateway's filter answers failures.
   */
  override bindMessageHandlers(socket: HandledSocket, handlers: MessageMappingProperties[]): void {
    socket[HANDLERS] = handlers.map(({ callback }) => callback);
    for (const [index, { message }] of handlers.entries()) socket.on(message, this.listenerOf(message, index));
  }

  private listenerOf(request: string, index: number): Listener {
    const key = `${index} ${request}`;
    const known = this.listeners.get(key);
    if (known) return known;
    const { limits, logger } = this;
    const answer = this.answer.bind(this);
    const listener: Listener = function (...args) {
      const handle = this[HANDLERS]![index]!;
      limits.run(this.conn, () => answer(request, handle, args)).catch((error: unknown) => logger.error(error));
    };
    this.listeners.set(key, listener);
    return listener;
  }

  private async answer(request: string, handle: Handler, args: unknown[]): Promise<void> {
    const { data, ack } = this.mapPayload(args.length === 1 ? args[0] : args);
    const answer = (response: Answer): void => {
      this.metrics.onRequest(request, response.ok ? 'ok' : response.error.code);
      ack?.(response);
    };
    const response: Answer | undefined = await handle(data, answer);
    if (response !== undefined) answer(response);
  }

  /** The name of a request that the service declares. Others are text of the client. */
  private nameOf(request: unknown): string {
    return typeof request === 'string' && this.events.has(request) ? request : 'unknown';
  }

  private decide(request: IncomingMessage, decide: (error: string | null, isAllowed: boolean) => void): void {
    const { VISITOR_CONNECTION_LIMIT: limit } = this.config;
    const isFull = limit > 0 && (this.connections.get(this.address.of(request)) ?? 0) >= limit;
    if (isFull) this.metrics.onRefused('too_many_connections');
    decide(isFull ? 'too many connections from this address' : null, !isFull);
  }

  private count(address: string, change: number): void {
    const count = (this.connections.get(address) ?? 0) + change;
    if (count > 0) this.connections.set(address, count);
    else this.connections.delete(address);
  }
}

/** A WebSocket server that limits the packets of connections without a namespace, and the fragments of messages. */
class StrictWebSocketServer extends WebSocketServer {
  constructor(options: WebSocketOptions) {
    const limits = {
      maxPayload: MAX_EARLY_PACKET_CHARACTERS,
      maxFragments: MAX_FRAGMENTS,
      closeTimeout: CLOSE_TIMEOUT_MS,
    };
    super({ ...options, ...limits });
  }

  override handleUpgrade(...[request, socket, head, callback]: Parameters<WebSocketServer['handleUpgrade']>): void {
    super.handleUpgrade(request, socket, head, (webSocket, from) => {
      boundEarly(webSocket);
      callback(webSocket, from);
    });
  }
}

/** An ack that answers `unavailable` at the deadline; Socket.IO ignores later calls. */
function answerInTime(ack: Ack, onLate: (problem: Problem) => void): Ack {
  const timer = setTimeout(() => {
    const problem = timedOut();
    onLate(problem);
    ack(toAckFailure(problem));
  }, TIME_LIMITS_MS.request);
  // A request whose socket disconnected is never answered. Its timer must not keep the process running.
  timer.unref();
  return (answer) => {
    clearTimeout(timer);
    ack(answer);
  };
}
