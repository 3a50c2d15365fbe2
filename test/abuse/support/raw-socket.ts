import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** A WebSocket that can send anything: no client library keeps it to the protocol. */
export class RawSocket {
  readonly received: string[] = [];
  isClosed = false;
  private exchanges = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.received.push(data.toString()));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  /** Opens the connection, and reads the service's first packet. */
  static async open(url: string, localAddress?: string): Promise<RawSocket> {
    const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
    const socket = new WebSocket(address, { localAddress });
    const raw = new RawSocket(socket);
    await once(socket, 'message');
    return raw;
  }

  /** Opens a WebSocket to upgrade from polling. */
  static async probe(url: string, sid: string): Promise<RawSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&sid=${sid}`);
    const raw = new RawSocket(socket);
    await once(socket, 'open');
    return raw;
  }

  /** Opens the connection, and joins a namespace. */
  static async connect(url: string, token: string, namespace = 'visitor'): Promise<RawSocket> {
    const raw = await RawSocket.open(url);
    raw.say(`40/${namespace},${JSON.stringify({ token })}`);
    await raw.hears(new RegExp(`^40/${namespace}`));
    return raw;
  }

  say(text: string): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  /** Sends a request whose ack is ignored. */
  ask(event: string, payload: unknown, id = 1): void {
    this.say(`42/visitor,${id}${JSON.stringify([event, payload])}`);
  }

  /**
   * Sends a request with this JSON as its payload. @returns its ack, or null when the service closed the connection
   * instead
   */
  async exchange(namespace: string, event: string, json: string): Promise<{ ok: boolean } | null> {
    const id = ++this.exchanges;
    const start = `43/${namespace},${id}`;
    this.received.length = 0;
    this.say(`42/${namespace},${id}["${event}",${json}]`);
    const ack = await this.hears(new RegExp(`^${start}\\[`)).catch(() => null);
    return ack === null ? null : (JSON.parse(ack.slice(start.length)) as [{ ok: boolean }])[0];
  }

  ping(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping('x'.repeat(125));
  }

  /** Stops reading, like a stuck or malicious client. */
  stopReading(): void {
    this.tcp.pause();
  }

  goOnReading(): void {
    this.tcp.resume();
  }

  async hears(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.received.find((text) => pattern.test(text));
      if (found !== undefined) return found;
      if (this.isClosed) throw new Error(`closed before ${pattern}`);
      await Promise.race([once(this.socket, 'message'), once(this.socket, 'close')]);
    }
  }

  /** Waits until the service has closed the connection. */
  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.terminate();
  }

  private get tcp(): Socket {
    return (this.socket as unknown as { _socket: Socket })._socket;
  }
}
