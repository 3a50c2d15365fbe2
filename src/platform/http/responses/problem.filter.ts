import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Fault, type FieldError, type ParameterError, Problem } from '../../errors/problem.js';
import { type ProblemCode, PROBLEMS, problemType } from '../../errors/problem-codes.js';
import { causeOf } from '../../database/faults/cause.js';
import { markCause, markDefect, markFailed } from './access-log.js';
import { toDatabaseProblem } from '../../database/database-problem.js';

/** The local of the Express application that has PUBLIC_URL, for the `type` of problems. */
export const PUBLIC_URL = 'publicUrl';

/** The body of every error response (RFC 9457; CONTRACT: Conventions). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: (FieldError | ParameterError)[];
}

/** Converts every error to problem+json. An error that isn't meant for clients becomes an opaque 500 and a log line. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request & { id: string }>();
    const response = http.getResponse<Response>();
    // The deadline has already responded, and the connection may serve another request.
    if (response.writableEnded) return;
    const problem = toProblem(error);
    markCause(request, causeOf(error));
    if (!(error instanceof Problem) || error instanceof Fault) markFailed(request);
    if (problem.code === 'internal_error') markDefect(request, error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answerProblem(response, request.id, problem);
  }
}

/** Responds with a problem. The headers must not be sent yet. */
export function answerProblem(response: Response, requestId: string, problem: Problem): void {
  if (problem.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  if (problem.retryAfterSeconds) response.setHeader('Retry-After', problem.retryAfterSeconds);
  response.setHeader('Cache-Control', 'no-store');
  response.status(problem.status).type('application/problem+json');
  response.send(JSON.stringify(toBody(problem, requestId, response.app.locals[PUBLIC_URL] as string | undefined)));
}

/** Converts an error to its problem. An unknown error becomes `internal_error`, without its cause. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return toDatabaseProblem(error) ?? fromHttp(error) ?? new Problem('internal_error', 'Unexpected server error');
}

function fromHttp(error: unknown): Problem | null {
  if (!(error instanceof HttpException)) return null;
  switch (error.getStatus()) {
    case PROBLEMS.not_found.status:
      return new Problem('not_found', 'No route matches this method and path');
    case PROBLEMS.validation_failed.status:
      return new Problem(
        'validation_failed',
        'The request URL is malformed: each % must begin an escape of valid UTF-8, as in %C3%A9',
      );
    default:
      return null;
  }
}

/** The body of a problem (RFC 9457). */
export function toBody(problem: Problem, requestId: string, publicUrl?: string): ProblemBody {
  const { status, detail, code, errors, members } = problem;
  return {
    type: problemType(code, publicUrl),
    title: PROBLEMS[code].title,
    status,
    detail,
    code,
    requestId,
    errors,
    ...members,
  };
}
