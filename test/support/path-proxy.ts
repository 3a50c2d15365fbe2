import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a proxy does with the path below which it serves Parley. */
export type PathHandling = 'keeps' | 'removes';

/** A proxy of another site's host, which passes requests below some paths to services. All others are 404. */
export class PathProxy {
  private readonly upgraded = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    /** The addresses of the services, by their paths. A longer path comes before its beginning. */
    private readonly targets: Record<string, string>,
    private readonly handling: PathHandling,
  ) {}

  /** @param port any free one if omitted */
  static async start(targets: Record<string, string>, handling: PathHandling, port = 0): Promise<PathProxy> {
    const proxy = new PathProxy(createServer(), targets, handling);
    proxy.server.on('request', (request, response) => proxy.pass(request, response));
    proxy.server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head));
    await new Promise<void>((resolve) => proxy.server.listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.upgraded) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private addressOf(path: string): string | undefined {
    const found = Object.entries(this.targets).find(([base]) => path.startsWith(`${base}/`));
    return found && found[1] + (this.handling === 'keeps' ? path : path.slice(found[0].length));
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const address = this.addressOf(request.url!);
    if (address === undefined) return void response.writeHead(404).end('outside of Parley');
    const { method, headers } = request;
    const passed = send(address, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = this.addressOf(request.url!);
    if (address === undefined) return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    const passed = send(address, { headers: request.headers });
    passed.on('upgrade', ({ rawHeaders }: IncomingMessage, far: Socket, first: Buffer) => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(first);
      far.write(head);
      this.join(socket, far);
    });
    passed.on('response', ({ statusCode }) =>
      socket.end(`HTTP/1.1 ${statusCode} Refused\r\nConnection: close\r\n\r\n`),
    );
    passed.on('error', () => socket.destroy());
    passed.end();
  }

  private join(near: Duplex, far: Duplex): void {
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.upgraded.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.upgraded.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
