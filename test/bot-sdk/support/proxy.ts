import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between a bot and the service that records traffic and injects faults. */
export class Proxy {
  /** `METHOD /path?query` of every request. */
  readonly requests: string[] = [];
  /** The bodies of the service's responses. */
  readonly bodies: string[] = [];
  /** Runs before a request, `METHOD /path?query`, is forwarded. */
  before: (request: string) => unknown = () => undefined;
  /** Runs before the service's response to a request is passed on. */
  after: (request: string) => unknown = () => undefined;
  private faults = new Map<string, string[]>();

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<Proxy> {
    const server = createServer();
    const proxy = new Proxy(server, target);
    server.on('request', (request, response) => {
      proxy.pass(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Makes the next requests of a route fail, one fault each: `refuse` drops the connection, `lose` forwards the request
   * and drops its response, a status answers with that status.
   */
  fail(route: string, faults: string[]): void {
    this.faults.set(route, faults);
  }

  heal(): void {
    this.faults.clear();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests.push(`${request.method} ${request.url}`);
    await this.before(`${request.method} ${request.url}`);
    const fault = this.faults.get(`${request.method} ${request.url!.split('?')[0]}`)?.shift();
    if (fault === 'refuse') return void response.destroy();
    if (fault !== undefined && fault !== 'lose') return void response.writeHead(Number(fault)).end('{}');
    if (response.destroyed) return;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(this.target + request.url, {
      method: request.method,
      // A kept-alive connection would delay the end of the service.
      headers: { ...headers, connection: 'close' },
      body,
      signal: gone.signal,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault === 'lose') return void response.destroy();
    this.bodies.push(bytes.toString());
    await this.after(`${request.method} ${request.url}`);
    const names = ['content-type', 'retry-after', 'idempotent-replayed'].filter((name) => answer.headers.has(name));
    for (const name of names) response.setHeader(name, answer.headers.get(name)!);
    response.writeHead(answer.status).end(bytes);
  }
}
