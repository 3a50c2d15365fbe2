import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export const request = (path: string, { method = 'GET', headers = [] as string[], body = '' } = {}): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n');

/** A connection that sends requests without waiting for answers, and reads only when asked to. */
export class Pipeline {
  private text = '';
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.once('close', () => (this.isClosed = true));
    socket.on('data', (text: string) => (this.text += text)).pause();
  }

  static async open(url: string): Promise<Pipeline> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new Pipeline(socket);
  }

  send(...requests: string[]): this {
    this.socket.write(requests.join(''));
    return this;
  }

  read(): this {
    this.socket.resume();
    return this;
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/g)].map(([, status]) => Number(status));
  }

  /** Waits for this many answers, or for the end of the connection. */
  async answers(count: number): Promise<number[]> {
    this.read();
    while (this.statuses.length < count && !this.isClosed)
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    return this.statuses;
  }

  /** Reads until the service closes the connection. Returns the statuses. */
  async end(): Promise<number[]> {
    this.read();
    if (!this.isClosed) await once(this.socket, 'close');
    return this.statuses;
  }

  close(): void {
    this.socket.destroy();
  }
}
