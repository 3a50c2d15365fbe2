import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROBLEMS, problemType } from '../../platform/errors/problem-codes.js';
import { CliError, EXIT } from '../errors.js';
import { reasonOf } from '../service.js';
import type { Chaos, Fault } from './chaos.js';
import type { Deliveries } from './deliveries.js';
import type { Lines } from './lines.js';
import type { TrafficLog } from './traffic-log.js';

/** The path that receives the service's webhook events. */
export const WEBHOOK_PATH = '/parley-dev/webhook';
/** The most bytes of a request. The service's own limit is lower. */
const MAX_BODY_BYTES = 1_048_576;
/** Headers that belong to one connection, or that fetch sets itself. */
const OWN_HEADERS = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];
const DROPPED_HEADERS: readonly string[] = [...OWN_HEADERS, 'accept-encoding', 'expect', 'upgrade'];

interface Call {
  method: string;
  url: URL;
  headers: Headers;
  body: Buffer;
  /** Aborts when the bot disconnects. */
  signal: AbortSignal;
}

interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** A proxy between the bot and the service that records requests, forwards them, or breaks some of them. */
export class Gateway {
  private readonly server: Server;

  constructor(
    private readonly target: string,
    private readonly log: TrafficLog,
    private readonly lines: Lines,
    private readonly chaos: Chaos | null,
    private readonly deliveries: Deliveries | null,
  ) {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        // A bot that disconnects has aborted its own call.
        if (!response.destroyed) this.lines.add('call', `${request.method} ${request.url}: ${reasonOf(error)}`);
        response.destroy();
      });
    });
  }

  /** @returns the address of the gateway. @throws CliError if the port is in use */
  async open(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    }).catch((error: unknown) => {
      throw new CliError(EXIT.failed, `port ${port} cannot be used: ${reasonOf(error)}`);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    if (body === null) return answerProblem(response, 413, 'The body is too large');
    if (!request.url?.startsWith('/')) return answerProblem(response, 400, 'Not a path');
    if (this.deliveries && request.url === WEBHOOK_PATH) return this.deliveries.receive(request, response, body);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const url = new URL(this.target + request.url);
    const { method = 'GET' } = request;
    await this.pass({ method, url, headers: toHeaders(request), body, signal: gone.signal }, response);
  }

  private async pass(call: Call, response: ServerResponse): Promise<void> {
    const fault = this.draw(call);
    if (fault) this.logExchange(fault, call);
    if (fault === 'refuse') return answerProblem(response, 500, 'Chaos: the request had no effect');
    if (fault === 'cut') return cut(response);
    if (fault === 'delay') await sleep(this.chaos!.delay(), undefined, { signal: call.signal });
    if (fault === 'repeat') call.url.searchParams.delete('ack');
    const isLost = fault === 'fail' || fault === 'lose' || fault === 'halve';
    const answer = await this.forward(call, isLost);
    if (fault === 'fail') return answerProblem(response, 503, 'Chaos: the request may have had its effect');
    if (fault === 'lose') return cut(response);
    if (fault === 'halve') return halve(response, answer);
    response.writeHead(answer.status, [...answer.headers].flat()).end(answer.body);
  }

  /** Typing gets no faults: it isn't guaranteed anyway, and would use them up. */
  private draw({ method, url }: Call): Fault | null {
    if (!this.chaos || url.pathname.endsWith('/typing')) return null;
    if (method !== 'GET' || !url.pathname.endsWith('/api/bot/events')) return this.chaos.draw('call');
    return this.chaos.draw(url.searchParams.has('ack') ? 'ack' : 'poll');
  }

  private logExchange(fault: Fault, { method, url }: Call): void {
    this.lines.add('chaos', `${method} ${this.pathOf(url)}: ${WORDS[fault]}`, { fault });
  }

  private async forward({ method, url, headers, body, signal }: Call, isLost: boolean): Promise<Answer> {
    const beginning = performance.now();
    this.log.acknowledging(url.searchParams.get('ack') ?? '');
    const response = await fetch(url, {
      method,
      headers,
      body: body.length > 0 ? body : undefined,
      redirect: 'manual',
      signal,
    });
    const answer = Buffer.from(await response.arrayBuffer());
    this.log.answered({
      method,
      path: this.pathOf(url),
      key: headers.get('idempotency-key') ?? undefined,
      status: response.status,
      body: parse(answer),
      isWaiting: url.searchParams.get('wait') !== '0',
      isLost,
      milliseconds: performance.now() - beginning,
    });
    const passed = new Headers(response.headers);
    for (const name of OWN_HEADERS) passed.delete(name);
    return { status: response.status, headers: passed, body: answer };
  }

  /** The path relative to the service's own path. */
  private pathOf({ pathname }: URL): string {
    const { pathname: base } = new URL(this.target);
    return base === '/' ? pathname : pathname.slice(base.length);
  }
}

const WORDS: { [fault in Fault]: string } = {
  delay: 'it waits',
  refuse: 'it is answered 500, and has no effect',
  cut: 'its connection is killed before it has an effect',
  fail: 'it has its effect, and is answered 503',
  lose: 'it has its effect, and its connection is killed',
  halve: 'its connection is killed in the middle of the answer',
  repeat: 'its ack is lost',
};

function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !DROPPED_HEADERS.includes(name)) headers.set(name, String(value));
  }
  return headers;
}

async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function answerProblem(response: ServerResponse, status: number, detail: string): void {
  const code = status === 503 ? 'unavailable' : 'internal_error';
  response.writeHead(status, { 'Content-Type': 'application/problem+json' });
  response.end(JSON.stringify({ type: problemType(code), title: PROBLEMS[code].title, status, code, detail }));
}

function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

function halve(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, [...headers, ['Content-Length', String(body.length)]].flat());
  response.write(body.subarray(0, body.length / 2), () => cut(response));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
