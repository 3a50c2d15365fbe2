import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { EmptySignal } from '../../lib/timeout.js';

/** The limit for the whole shutdown, and for running requests within it. */
const SHUTDOWN_TIMEOUT_MS = 9_000;
const REQUEST_TIMEOUT_MS = 5_000;
/**
 * Open connections may send one more request, until none has come for the first time, or until the second at the
 * latest.
 */
const IDLE_TIMEOUT_MS = 2_000;
const MAX_IDLE_TIMEOUT_MS = 3_500;

type Closer = () => Promise<unknown>;

/**
 * Ends the process in order: on SIGTERM or SIGINT, it runs the closers, the last added first, then exits with 0, after
 * 9 s at the latest.
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
    setTimeout(() => {
      console.error(`cut the shutdown off after ${SHUTDOWN_TIMEOUT_MS / 1_000} s`);
      process.exit(code);
    }, SHUTDOWN_TIMEOUT_MS).unref();
    for (const close of this.closers.reverse()) await close().catch((error: unknown) => console.error(error));
    process.exit(code);
  }
}

/** A server's connections, which `drain` closes without interrupting requests. */
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
    // Socket.IO closes upgraded sockets itself.
    server.on('upgrade', ({ socket }: { socket: Socket }) => this.remove(socket));
  }

  /**
   * Accepts no new connections, immediately closes connections that never sent a request (browsers open some in advance),
   * and lets the others send one more. The response to that last request announces the close, so no request is lost on
   * its way. Resolves when no connection is left, or no request came for 2 s. Requests that still run 5 s after the
   * start are cut off.
   */
  async drain(): Promise<void> {
    // http.Server's own `close` would end kept-alive connections immediately, even with a request on its way.
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
