import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { PublicLog } from '../../platform/telemetry/public-log.js';
import type { FieldError, ParameterError } from '../../platform/errors/problem.js';
import { toProblem } from '../../platform/http/responses/problem.filter.js';

/** The ack of a failed request (CONTRACT section 3). */
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
  private readonly logger = new Logger('Errors');

  constructor(private readonly publicLog: PublicLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const failure = toAckFailure(error);
    if (failure.error.code === 'internal_error') this.log(error, host.switchToWs());
    const ack: unknown = host.getArgs().find((argument) => typeof argument === 'function');
    if (typeof ack === 'function') ack(failure);
  }

  private log(err: unknown, context: ReturnType<ArgumentsHost['switchToWs']>): void {
    const { data } = context.getClient<{ data: { visitor?: Caller; agent?: Caller } }>();
    if (!data.agent && !this.publicLog.admits(`socket request failed ${String(context.getPattern())}`)) return;
    const fields = { organizationId: (data.visitor ?? data.agent)?.organizationId, request: context.getPattern() };
    this.logger.error({ err, ...fields }, 'socket request failed');
  }
}
