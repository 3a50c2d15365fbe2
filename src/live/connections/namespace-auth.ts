import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import { withDeadline } from '../../platform/http/responses/deadline.js';
import { Problem } from '../../platform/errors/problem.js';
import { toProblem } from '../../platform/http/responses/problem.filter.js';
import { toAckFailure } from './ack.filter.js';
import { SocketFailures } from './socket-failures.js';
import { LiveMetrics } from '../feeds/live-metrics.js';

/** Admits sockets to a namespace and checks their requests. Both refuse with a problem. */
@Injectable()
export class NamespaceAuth {
  constructor(
    private readonly metrics: LiveMetrics,
    private readonly failures: SocketFailures,
  ) {}

  /** Admits a socket once `admit` resolves. None of its requests is handled before. */
  admit<S>(namespace: Namespace, admit: (socket: S) => Promise<void>): void {
    // In middleware, because Nest doesn't wait for handleConnection: a request could be handled first.
    namespace.use((socket, next) => {
      withDeadline(admit(socket as unknown as S)).then(
        () => next(),
        (error: unknown) => next(this.refuse(error)),
      );
    });
  }

  /** Runs `check` before each request of a socket. If it fails, or the name is unknown, the request's ack gets the problem. */
  checkRequests(socket: Socket, names: ReadonlySet<string>, check: () => Promise<void>): void {
    socket.use(([event, ...args]: unknown[], next) => {
      const name = String(event);
      this.check(name, names, check).then(
        () => next(),
        (error: unknown) => {
          const failure = toAckFailure(error);
          this.metrics.onRequest(name, failure.error.code);
          this.failures.log(error, { request: names.has(name) ? name : 'unknown' });
          const ack = args.at(-1);
          if (typeof ack === 'function') ack(failure);
        },
      );
    });
  }

  /** The error that a client gets whose socket is refused. */
  refuse(error: unknown): Error {
    const { code, detail } = toProblem(error);
    this.metrics.onRefused(code);
    this.failures.log(error, { request: 'connect' });
    return Object.assign(new Error(detail), { data: { code, detail } });
  }

  private async check(name: string, names: ReadonlySet<string>, check: () => Promise<void>): Promise<void> {
    await check();
    if (!names.has(name))
      throw new Problem('not_found', `Unknown event name; this namespace takes ${[...names].join(', ')}`);
  }
}
