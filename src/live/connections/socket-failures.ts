import { Injectable, Logger } from '@nestjs/common';
import { causeOf, causeOfDefect } from '../../platform/database/faults/cause.js';
import { FaultLog } from '../../platform/database/faults/fault-log.js';
import { toProblem } from '../../platform/http/responses/problem.filter.js';

/** Where a request failed. */
interface FailedRequest {
  /** The name of the request, as the service declares it; `connect` for the handshake. */
  request: string;
  organizationId?: string;
}

/** Counts and logs the requests of sockets, and their handshakes, that failed although no client did anything wrong. */
@Injectable()
export class SocketFailures {
  private readonly logger = new Logger('Errors');

  constructor(private readonly faults: FaultLog) {}

  log(error: unknown, fields: FailedRequest): void {
    const cause = causeOf(error);
    if (cause) this.logger.error({ cause: this.faults.note(cause), ...fields }, 'socket request refused');
    else if (toProblem(error).code === 'internal_error') {
      this.faults.note(causeOfDefect(error));
      this.logger.error({ err: error, ...fields }, 'socket request failed');
    }
  }
}
