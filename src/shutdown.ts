import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The whole shutdown may take this long, in milliseconds, and the requests under way this long of it. */
const PATIENCE = 9_000;
const REQUEST_PATIENCE = 5_000;

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

/**
 * Watches a server's connections; the answer, once called, ends those that hold up its closing: at once those that never
 * asked anything (browsers open some in advance), after 5 s those whose request is still not whole.
 */
export function watchConnections(server: Server): () => void {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  for (const event of ['request', 'upgrade'] as const) {
    server.on(event, ({ socket }: { socket: Socket }) => silent.delete(socket));
  }
  return () => {
    for (const socket of silent) socket.destroy();
    setTimeout(() => server.closeAllConnections(), REQUEST_PATIENCE).unref();
  };
}
