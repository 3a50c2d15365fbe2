import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** A connection to a service that can be cut, one way or both, and restored at the same address. */
export class Road {
  /** Whether connections are refused. */
  isCut = false;
  /** Whether the service's responses are lost. */
  losesAnswers = false;
  /** Whether a request for a WebSocket ends the connection, as some proxies do. */
  refusesSockets = false;
  /** Whether a request for a WebSocket is answered with 403. */
  forbidsSockets = false;
  /** Whether WebSockets are accepted, and nothing that is sent over them is passed on. */
  mutesSockets = false;
  /** Milliseconds until a WebSocket is cut, as some proxies do. */
  cutsSocketsAfter: number | undefined;
  /** Whether a request for a WebSocket is never answered. */
  holdsSockets = false;
  /** Decides whether the response to these bytes is lost, with everything that would follow on that connection. */
  losesAnswerTo: (said: Buffer) => boolean = () => false;
  /** Whether one side doesn't learn that the other has closed the connection, as when a machine loses power. */
  hidesEnds = false;
  /** Milliseconds until bytes are passed on, in each direction. */
  delay = 0;
  private readonly watchers = new Set<(text: string) => void>();
  private readonly open = new Set<Socket>();
  private isFrozen = false;

  private constructor(
    private readonly server: Server,
    public target: string,
  ) {}

  static async to(target: string): Promise<Road> {
    const road: Road = new Road(
      createServer((near) => road.carry(near)),
      target,
    );
    await new Promise<void>((resolve) => road.server.listen(0, '127.0.0.1', resolve));
    return road;
  }

  /** A connection to a database, and the URL that uses it. */
  static async toDatabase(address: string): Promise<{ road: Road; url: string }> {
    const url = new URL(address);
    const road = await Road.to(`http://${url.host}`);
    url.host = new URL(road.url).host;
    return { road, url: url.href };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    this.end();
  }

  /** Closes every connection; new ones are accepted. */
  end(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Accepts connections and bytes, and forwards nothing until `thaw`. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.open) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.open) socket.resume();
  }

  /** Resets every connection, like a machine that has restarted. */
  reset(): void {
    for (const socket of this.open) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(near: Socket): void {
    if (this.isCut) return void near.destroy();
    const { hostname, port } = new URL(this.target);
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.open.delete(socket);
        if (!this.hidesEnds) other.destroy();
      });
    }
    let isDeaf = false;
    let isMute = false;
    near.on('data', (chunk: Buffer) => {
      isDeaf ||= this.losesAnswerTo(chunk);
      const isUpgrade = /^upgrade: *websocket/im.test(chunk.toString('latin1'));
      if (isUpgrade && this.holdsSockets) return;
      if (isUpgrade && this.forbidsSockets) return void near.end(FORBIDDEN);
      isMute ||= isUpgrade && this.mutesSockets;
      if (isUpgrade && this.refusesSockets) return void near.destroy();
      if (isUpgrade && this.cutsSocketsAfter !== undefined) setTimeout(() => near.destroy(), this.cutsSocketsAfter);
      this.pass(chunk, far);
    });
    far.on('data', (chunk: Buffer) => {
      if (!isMute) return;
      // The first bytes are the acceptance.
      if (!isDeaf) near.write(chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4));
      isDeaf = true;
    });
    far.on('data', (chunk: Buffer) => this.losesAnswers || isDeaf || this.pass(chunk, near));
    if (this.isFrozen) for (const socket of [near, far]) socket.pause();
  }

  /** Waits until matching bytes were passed on. */
  passes(pattern: RegExp): Promise<void> {
    return new Promise((resolve) => {
      const watch = (text: string) => {
        if (!pattern.test(text)) return;
        this.watchers.delete(watch);
        resolve();
      };
      this.watchers.add(watch);
    });
  }

  private pass(chunk: Buffer, to: Socket): void {
    const write = () => {
      to.write(chunk);
      for (const watch of this.watchers) watch(chunk.toString('latin1'));
    };
    if (this.delay > 0) setTimeout(write, this.delay);
    else write();
  }
}
