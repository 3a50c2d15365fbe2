import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENCE } from './eventually.js';

/** The requests that a receiver got, in order. */
export interface Received {
  at: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  event: any;
}

type Behaviour = (received: Received, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** A webhook endpoint on loopback. It answers 200 unless `become` changes that, and keeps every request. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private behave: Behaviour,
  ) {}

  static async start(behave: Behaviour = (_, response) => void response.end()): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, behave);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Changes its behavior from now on. */
  become(behave: Behaviour): void {
    this.behave = behave;
  }

  /** Waits until a condition on the received requests holds. */
  async until(holds: (received: Received[]) => boolean, patience = PATIENCE): Promise<Received[]> {
    const deadline = Date.now() + patience;
    while (!holds(this.received)) await this.arrival(deadline);
    return this.received;
  }

  /** Waits until this many requests arrived. */
  count(count: number, patience?: number): Promise<Received[]> {
    return this.until(({ length }) => length >= count, patience);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const received = { at: performance.now(), path: request.url!, headers, body, event: JSON.parse(body) };
    this.received.push(received);
    for (const look of this.waiting) look();
    await this.behave(received, response, request);
  }

  private arrival(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = () => reject(new Error(`not received in time; ${this.received.length} requests came`));
      const timer = setTimeout(give, Math.max(0, deadline - Date.now()));
      const look = () => {
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
    });
  }
}
