import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { MessageMappingProperties } from '@nestjs/websockets';
import type { IncomingMessage } from 'node:http';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { type ServerOptions as WebSocketOptions, WebSocketServer } from 'ws';
import { ClientAddress } from '../auth/client-address.js';
import type { Config } from '../platform/config/config.js';
import { DEADLINE, timedOut } from '../platform/http/deadline.js';
import { MAX_BODY_BYTES } from '../platform/http/json-body.guard.js';
import { type AckFailure, toAckFailure } from './ack.js';
import { boundEarly, ConnectionLimits, type EngineConnection, MAX_EARLY_PACKET } from './connection-limits.js';
import { exactParser } from './exact-parser.js';
import { LiveMetrics } from './live-metrics.js';
import { oneOrigin } from './one-origin.js';

/** A connection that joined no namespace is closed after this time, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** The parts that a WebSocket message may come in: each of them costs more than its bytes. */
const MAX_FRAGMENTS = 64;
/** How long the other side may take to agree that a WebSocket ends, in milliseconds. */
const CLOSE_TIMEOUT = 5_000;

type Answer = { ok: true } | AckFailure;
type EngineSocket = EngineConnection & { request: IncomingMessage; once: (e: string, f: () => void) => void };
type Ack = (answer: Answer) => void;

/** The Socket.IO server, with the limits a stranger cannot step over. */
export class VisitorIoAdapter extends IoAdapter {
  private readonly connections = new Map<string, number>();
  private readonly limits: ConnectionLimits;
  private readonly metrics: LiveMetrics;
  private readonly address: ClientAddress;

  constructor(
    app: INestApplicationContext,
    private readonly config: Config,
  ) {
    super(app);
    this.limits = app.get(ConnectionLimits);
    this.metrics = app.get(LiveMetrics);
    this.address = app.get(ClientAddress);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const limits: Partial<ServerOptions> = {
      wsEngine: StrictWebSocketServer,
      // What is compressed cannot be counted until it is, and costs a stranger's request a millisecond.
      httpCompression: false,
      maxHttpBufferSize: MAX_BODY_BYTES,
      parser: exactParser,
      connectTimeout: CONNECT_TIMEOUT,
      transports: [...this.config.SOCKET_TRANSPORTS],
      cors: { origin: '*' },
      allowRequest: (request, decide) => this.decide(request, decide),
    };
    const server = super.createIOServer(port, { ...options, ...limits } as ServerOptions) as Server;
    server.engine.use(oneOrigin(server, this.config));
    server.engine.on('connection', (socket: EngineSocket) => {
      this.limits.watch(socket);
      const address = this.address.of(socket.request);
      this.count(address, 1);
      socket.once('close', () => this.count(address, -1));
    });
    return server;
  }

  /** Each request has its deadline from the moment it comes: the middleware of the gateway is part of it. */
  override bindClientConnect(server: Server, callback: (socket: Socket) => void): void {
    server.on('connection', (socket: Socket) => {
      socket.use((request, next) => {
        const last = request.length - 1;
        const ack: unknown = request[last];
        if (typeof ack === 'function') request[last] = answerInTime(ack as Ack);
        next();
      });
      callback(socket);
    });
  }

  /**
   * One listener for each request, where Nest has a stream for each: those were half of what a visitor who only listens
   * costs in memory. What fails is answered by the gateway's filter.
   */
  override bindMessageHandlers(socket: Socket, handlers: MessageMappingProperties[]): void {
    for (const { message, callback } of handlers) {
      socket.on(message, (...args: unknown[]) => {
        this.limits
          .run(socket.conn, () => this.answer(message, callback, args))
          .catch((error: unknown) => this.logger.error(error));
      });
    }
  }

  private async answer(request: string, handle: MessageMappingProperties['callback'], args: unknown[]): Promise<void> {
    const { data, ack } = this.mapPayload(args.length === 1 ? args[0] : args);
    const answer = (response: Answer): void => {
      this.metrics.onRequest(request, response.ok ? 'ok' : response.error.code);
      ack?.(response);
    };
    const response: Answer | undefined = await handle(data, answer);
    if (response !== undefined) answer(response);
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

/** A WebSocket server that takes little of a connection before it has a namespace, and no message in many parts. */
class StrictWebSocketServer extends WebSocketServer {
  constructor(options: WebSocketOptions) {
    const limits = { maxPayload: MAX_EARLY_PACKET, maxFragments: MAX_FRAGMENTS, closeTimeout: CLOSE_TIMEOUT };
    super({ ...options, ...limits });
  }

  override handleUpgrade(...[request, socket, head, callback]: Parameters<WebSocketServer['handleUpgrade']>): void {
    super.handleUpgrade(request, socket, head, (webSocket, from) => {
      boundEarly(webSocket);
      callback(webSocket, from);
    });
  }
}

/** An ack that calls itself when nobody does in time; later calls are ignored, as Socket.IO does with a second one. */
function answerInTime(ack: Ack): Ack {
  const timer = setTimeout(() => ack(toAckFailure(timedOut())), DEADLINE);
  return (answer) => {
    clearTimeout(timer);
    ack(answer);
  };
}
