import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { IncomingMessage, Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientIp, type Trust } from './client-ip.js';
import { type PipelineLimit, WaitingRequests } from './waiting-requests.js';

/** The limits for a request's headers and for the whole request, and the interval of the check. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 1_000;
/** How long an idle connection stays open: longer than the 60 s that load balancers use. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Text that is JSON already, and is sent unchanged. */
export class JsonText {
  constructor(readonly text: string) {}
}

type Admit = (request: IncomingMessage, response: ServerResponse, start: () => void) => void;

/** Passes a request to its listeners when it's its turn. */
class HttpServer extends Server {
  constructor(
    options: ServerOptions,
    private readonly waiting: WaitingRequests,
    private readonly admit: Admit,
  ) {
    super(options);
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event === 'request') return this.onRequest(...(args as [IncomingMessage, ServerResponse]));
    if (event === 'upgrade' && !this.waiting.isIdle(args[1] as Socket)) return this.end(args[1] as Socket);
    return super.emit(event, ...args);
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): true {
    const start = () => super.emit('request', request, response);
    this.waiting.run(response, () => this.admit(request, response, start));
    return true;
  }

  private end(socket: Socket): true {
    socket.destroy();
    return true;
  }
}

/**
 * Nest's adapter for Express, which creates requests and responses with Express' prototypes. Express itself sets each
 * one's prototype afterwards; V8 then treats each as an object of its own shape, slow to use and to collect. Without
 * that, a bare Express handles four times as many requests a second on Node 20, and a fifth more on Node 24 (ADR 11).
 */
export class HttpAdapter extends ExpressAdapter {
  /** Called with each JSON response, and each piece of a streamed one, and its length in bytes. */
  onBytesWritten: (response: ServerResponse, bytes: number) => void = () => undefined;

  /** Called with each request when it's its turn. It starts the request, or answers it. */
  admit: Admit = (_request, _response, start) => start();
  /** Called before a connection is closed because of its pipelined requests. */
  onPipelineLimit: (limit: PipelineLimit) => void = () => undefined;
  readonly waiting = new WaitingRequests((limit) => this.onPipelineLimit(limit));

  override initHttpServer(): void {
    const app: Express = this.getInstance();
    const onAnswer = (response: ServerResponse, bytes: number) => this.onBytesWritten(response, bytes);
    const { waiting } = this;
    class Request extends IncomingMessage {
      private isOffered = false;
      private readonly isAccepted: boolean;

      constructor(socket: Socket) {
        super(socket);
        this.isAccepted = waiting.accept(socket);
      }

      // Express would use the proxy's text unchanged: with a port, or without any address.
      get ip(): string {
        return clientIp(this, app.get('trust proxy fn') as Trust);
      }

      // Node sets this, reads it, and passes the requests where it's true to Socket.IO. Other upgrade offers, such as
      // HTTP/2 from Java's HttpClient, are ignored, and the request is answered normally (RFC 9110, section 7.8). After an
      // upgrade, Node parses nothing more, so it's also how a connection is stopped in the middle of its pipeline.
      get upgrade(): boolean {
        if (!this.isAccepted) return true;
        return this.isOffered && (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket');
      }
      set upgrade(isOffered: boolean) {
        this.isOffered = isOffered;
      }
    }
    class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
      // Express would also guess the type, the charset and the freshness, which costs more than the JSON itself and
      // isn't needed. Responses aren't cached, unless the route says so.
      json(body: unknown): this {
        // The deadline has already responded.
        if (this.writableEnded) return this;
        const text = body instanceof JsonText ? body.text : JSON.stringify(body);
        if (!this.hasHeader('Cache-Control')) this.setHeader('Cache-Control', 'no-store');
        if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
        const bytes = Buffer.byteLength(text);
        this.setHeader('Content-Length', bytes);
        this.end(text);
        onAnswer(this, bytes);
        return this;
      }

      override write(piece: string | Uint8Array, ...rest: unknown[]): boolean {
        const hasRoom = super.write(piece, ...(rest as [BufferEncoding]));
        onAnswer(this, piece.length);
        return hasRoom;
      }

      // Files. JSON, which is text, was counted above.
      override end(body?: unknown, ...rest: unknown[]): this {
        super.end(body, ...(rest as [BufferEncoding]));
        if (body instanceof Uint8Array) onAnswer(this, body.length);
        return this;
      }
    }
    app.request = Object.setPrototypeOf(Request.prototype, app.request) as typeof app.request;
    app.response = Object.setPrototypeOf(Response.prototype, app.response) as typeof app.response;
    const options = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      IncomingMessage: Request,
      ServerResponse: Response,
    };
    const server = new HttpServer(options, waiting, (...request) => this.admit(...request));
    this.setHttpServer(server.on('request', app));
  }
}
