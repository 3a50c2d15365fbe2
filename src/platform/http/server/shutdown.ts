import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { EmptySignal } from '../../lib/timeout.js';

/** The longest time of the whole shutdown, and of the running requests within it, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 9_000;
const REQUEST_TIMEOUT_MS = 5_000;
/**
 * Open connections may send one more request until none came for the first time; until the second time at most. In
 * milliseconds.
 */
const IDLE_TIMEOUT_MS = 2_000;
const MAX_IDLE_TIMEOUT_MS = 3_500;

type Closer = () => Promise<unknown>;

/**
 * Ends the process in order: on SIGTERM or SIGINT, closes what was opened, the last first, then exits with 0; after 9 s
 * at the latest.
 */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private isClosing = false;

  listen(): this {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(0));
    return this;
  }

  /** Adds a function to call at shutdown; the last one added runs first. */
  add(closer: Closer): void {
    this.closers.push(closer);
  }

  async exit(code: number): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    setTimeout(() => process.exit(code), SHUTDOWN_TIMEOUT_MS).unref();
    for (const close of this.closers.reverse()) await close().catch((error: unknown) => console.error(error));
    process.exit(code);
  }
}

/** The connections of a server, which `drain` ends without breaking off requests. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly unused = new Set<Socket>();
  private lastRequestAt = 0;
  private readonly empty = new EmptySignal();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      this.unused.add(socket);
      socket.once('close', () => this.remove(socket));
    });
    server.on('request', ({ socket }: { socket: Socket }) => {
      this.unused.delete(socket);
      this.lastRequestAt = performance.now();
    });
    // Socket.IO ends the sockets of visitors.
    server.on('upgrade', ({ socket }: { socket: Socket }) => this.remove(socket));
  }

  /**
   * Accepts no more connections, closes at once those that never sent a request (browsers open some in advance), and
   * lets the others send one more: a client learns from the answer to its last request that the connection closes, so
   * no request is lost on its way. Resolves when no connection is left, or no request came for 2 s. Requests that still
   * run 5 s after the start are broken off.
   */
  async drain(): Promise<void> {
    // http.Server's own `close` would end kept-alive connections at once, even if a request is on its way.
    NetServer.prototype.close.call(this.server);
    for (const socket of this.unused) socket.destroy();
    setTimeout(() => {
      for (const socket of this.open) socket.destroy();
    }, REQUEST_TIMEOUT_MS).unref();
    const startedAt = performance.now();
    for (let left = IDLE_TIMEOUT_MS; left > 0 && this.open.size > 0;) {
      await this.empty.wait(left);
      const now = performance.now();
      left = Math.min(Math.max(startedAt, this.lastRequestAt) + IDLE_TIMEOUT_MS, startedAt + MAX_IDLE_TIMEOUT_MS) - now;
    }
  }

  private remove(socket: Socket): void {
    this.open.delete(socket);
    this.unused.delete(socket);
    if (this.open.size === 0) this.empty.notify();
  }
}
