import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import type { FieldError, ParameterError } from '../../platform/errors/problem.js';
import { toProblem } from '../../platform/http/responses/problem.filter.js';
import { SocketFailures } from './socket-failures.js';

/** The ack of a failed request (CONTRACT: Visitors). */
export interface AckFailure {
  ok: false;
  error: { code: string; detail: string; errors?: (FieldError | ParameterError)[] };
}

export function toAckFailure(error: unknown): AckFailure {
  const { code, detail, errors, members } = toProblem(error);
  return { ok: false, error: { code, detail, ...(errors && { errors }), ...members } };
}

interface Caller {
  organizationId: string;
}

/** Answers failed requests through their ack, which Nest doesn't call for them. */
@Catch()
@Injectable()
export class AckFilter implements ExceptionFilter {
  constructor(private readonly failures: SocketFailures) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const context = host.switchToWs();
    const { data } = context.getClient<{ data: { visitor?: Caller; agent?: Caller } }>();
    const { organizationId } = data.visitor ?? data.agent ?? {};
    this.failures.log(error, { organizationId, request: String(context.getPattern()) });
    const ack: unknown = host.getArgs().find((argument) => typeof argument === 'function');
    if (typeof ack === 'function') ack(toAckFailure(error));
  }
}
