import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import { withDeadline } from '../../platform/http/responses/deadline.js';
import { Problem } from '../../platform/errors/problem.js';
import { toProblem } from '../../platform/http/responses/problem.filter.js';
import { toAckFailure } from './ack.js';
import { LiveMetrics } from '../feeds/live-metrics.js';

/** What the namespaces of all audiences do alike: they admit sockets, check requests, and refuse with a problem. */
@Injectable()
export class SocketDoor {
  constructor(private readonly metrics: LiveMetrics) {}

  /** Lets the sockets into a namespace for which `admit` resolves. No request of a socket is handled before. */
  admit<S>(namespace: Namespace, admit: (socket: S) => Promise<void>): void {
    // In middleware, because Nest does not wait for handleConnection: otherwise a request could come first.
    namespace.use((socket, next) => {
      withDeadline(admit(socket as unknown as S)).then(
        () => next(),
        (error: unknown) => next(this.refuse(error)),
      );
    });
  }

  /** Runs `check` before each request of a socket. A request that fails it, or has no known name, is answered by its ack. */
  checkRequests(socket: Socket, names: ReadonlySet<string>, check: () => Promise<void>): void {
    socket.use(([event, ...args]: unknown[], next) => {
      const name = String(event);
      this.check(name, names, check).then(
        () => next(),
        (error: unknown) => {
          const failure = toAckFailure(error);
          this.metrics.onRequest(name, failure.error.code);
          const ack = args.at(-1);
          if (typeof ack === 'function') ack(failure);
        },
      );
    });
  }

  /** The error that tells a client why its socket is not let in. */
  refuse(error: unknown): Error {
    const { code, detail } = toProblem(error);
    this.metrics.onRefused(code);
    return Object.assign(new Error(detail), { data: { code, detail } });
  }

  private async check(name: string, names: ReadonlySet<string>, check: () => Promise<void>): Promise<void> {
    await check();
    if (!names.has(name)) throw new Problem('not_found', 'No such request');
  }
}
