import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** The whole shutdown may take this long, in milliseconds, and the requests under way this long of it. */
const PATIENCE = 9_000;
const REQUEST_PATIENCE = 5_000;
/** Open connections may ask once more until nothing was asked for this long, in milliseconds, at most until the second. */
const GRACE = 2_000;
const MAX_GRACE = 3_500;

type Closer = () => Promise<unknown>;

/**
 * Ends the process in order: on SIGTERM or SIGINT what was opened is closed, the last first, then it exits 0; within
 * 9 s whatever happens.
 */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private isClosing = false;

  listen(): this {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(0));
    return this;
  }

  /** Something to close in its turn. */
  add(closer: Closer): void {
    this.closers.push(closer);
  }

  async exit(code: number): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    setTimeout(() => process.exit(code), PATIENCE).unref();
    for (const close of this.closers.reverse()) await close().catch((error: unknown) => console.error(error));
    process.exit(code);
  }
}

/** The connections of a server, and the way to end them without breaking off what is on its way. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly silent = new Set<Socket>();
  private askedAt = 0;
  private onEmpty?: () => void;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      this.silent.add(socket);
      socket.once('close', () => this.leave(socket));
    });
    server.on('request', ({ socket }: { socket: Socket }) => {
      this.silent.delete(socket);
      this.askedAt = performance.now();
    });
    // The sockets of visitors are ended by Socket.IO.
    server.on('upgrade', ({ socket }: { socket: Socket }) => this.leave(socket));
  }

  /**
   * Takes no more connections, ends at once those that never asked anything (browsers open some in advance) and lets the
   * others ask once more: a client learns that a connection ends from the answer to its last request, never from a
   * request that was on its way. Done when none is left, or nothing has been asked for 2 s. What is still being asked
   * 5 s after the beginning is broken off.
   */
  async drain(): Promise<void> {
    // Not the server's own: that ends kept connections at once, whatever is on its way to them.
    NetServer.prototype.close.call(this.server);
    for (const socket of this.silent) socket.destroy();
    setTimeout(() => this.server.closeAllConnections(), REQUEST_PATIENCE).unref();
    const startedAt = performance.now();
    for (let left = GRACE; left > 0 && this.open.size > 0;) {
      await this.isEmptyWithin(left);
      const now = performance.now();
      left = Math.min(Math.max(startedAt, this.askedAt) + GRACE, startedAt + MAX_GRACE) - now;
    }
  }

  private leave(socket: Socket): void {
    this.open.delete(socket);
    this.silent.delete(socket);
    if (this.open.size === 0) this.onEmpty?.();
  }

  private isEmptyWithin(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
