import type { Request, Response } from 'express';
import { TIME_LIMITS_MS } from '../../lib/time-limits.js';
import { withTimeout } from '../../lib/timeout.js';
import { because, unavailable } from '../../errors/problem.js';
import { markCause } from './access-log.js';
import { answerProblem } from './problem.filter.js';

type TimedResponse = Response & { deadline?: NodeJS.Timeout };

/**
 * The problem of a request that reached its deadline. Its work may still complete, so a client may retry with the same
 * Idempotency-Key.
 */
export const timedOut = () =>
  because(unavailable('Request timed out; it may still take effect, so retry the same request'), {
    name: 'timeout',
    message: 'the request took too long',
    limit: `${TIME_LIMITS_MS.request} ms for a request`,
  });

/** Starts a request's deadline. One timer and one listener, because every request pays for them. */
export function startDeadline(request: Request & { id: string }, response: TimedResponse): void {
  response.deadline = setTimeout(onDeadline, TIME_LIMITS_MS.request, request, response);
  response.once('close', clearDeadline);
}

/**
 * Replaces a request's deadline by its route's. Unlike the default, it isn't extended while the body arrives.
 * @param timeMs null for none
 */
export function restartDeadline(
  request: Request & { id: string },
  response: TimedResponse,
  timeMs: number | null,
): void {
  clearTimeout(response.deadline);
  if (timeMs !== null) response.deadline = setTimeout(answerTimedOut, timeMs, request, response);
}

/** Resolves with the result of the work. @throws Problem unavailable at the deadline; the work may still complete */
export async function withDeadline<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, TIME_LIMITS_MS.request, timedOut);
}

function clearDeadline(this: TimedResponse): void {
  clearTimeout(this.deadline);
}

function onDeadline(request: Request & { id: string }, response: TimedResponse): void {
  if (response.headersSent) return;
  const isArriving = request.readableFlowing && !request.complete;
  if (isArriving) response.deadline = setTimeout(onDeadline, TIME_LIMITS_MS.request, request, response);
  else answerTimedOut(request, response);
}

function answerTimedOut(request: Request & { id: string }, response: TimedResponse): void {
  if (response.headersSent) return;
  const problem = timedOut();
  markCause(request, problem.reason);
  answerProblem(response, request.id, problem);
}
