import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { causeOfDefect } from '../../database/faults/cause.js';
import type { FaultLog } from '../../database/faults/fault-log.js';
import type { Cause } from '../../errors/cause.js';
import type { PublicLog } from '../../telemetry/public-log.js';
import { traceIdOf, traceparentOf } from '../../telemetry/trace.js';
import { type HttpMetrics, isAnswered, routeOf } from './http-metrics.js';

type IdentifiedRequest = Request & {
  id: string;
  context?: { organizationId: string };
  isAuthenticated?: boolean;
  hasFailed?: boolean;
  cause?: Cause | null;
  defect?: unknown;
};

const ORGANIZATION_ID = /^org_[0-9a-z]{26}$/;

/**
 * Marks a request whose token is valid and can't be had by anyone: of a bot, an agent, or an administrator. All its lines are logged.
 */
export function markAuthenticated(request: object): void {
  (request as IdentifiedRequest).isAuthenticated = true;
}

/** Marks a request that failed for a reason that its client didn't cause, such as an unavailable database. */
export function markFailed(request: IdentifiedRequest): void {
  request.hasFailed = true;
}

/** Notes why a request failed, for its line in the log. */
export function markCause(request: IdentifiedRequest, cause: Cause | null | undefined): void {
  request.cause = cause;
}

/** Marks a request that failed with an error that Parley doesn't expect. */
export function markDefect(request: IdentifiedRequest, error: unknown): void {
  request.defect = error;
}

/** Whether to log a line about a request. If anyone can send it, only some lines per minute are logged. */
function admitsLine(request: IdentifiedRequest, log: PublicLog, what: number | string): boolean {
  return request.isAuthenticated === true || log.admits(`${what} ${routeOf(request)}`);
}

/**
 * Logs and counts a finished request by method, route and status, without tokens, addresses, queries or content. A
 * success is `debug`, because there are thousands a second; a rejected request is `info`, a server error `error`, unless anyone can
 * cause it. A request that failed for a known cause or a defect has it in its line, and the lines of a cause are limited.
 */
export function accessLog(logger: Logger, metrics: HttpMetrics, log: PublicLog, faults: FaultLog) {
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    metrics.begin();
    // `close` is also emitted when the client disconnected before its response.
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      metrics.end(request, response, milliseconds);
      const failure = noteFailure(request, faults);
      const level = levelOf(request, response);
      if (!logger.isLevelEnabled(level)) return;
      const isWhole = isAnswered(response);
      const what = isWhole ? response.statusCode : 'disconnected';
      // The logger itself limits the lines about failures.
      if (level !== 'debug' && !failure?.isLimited && !admitsLine(request, log, what)) return;
      const message = isWhole ? 'answered' : 'the client disconnected';
      const line = { ...describeRequest(request, response, milliseconds), ...failure?.fields };
      logger[level](line, request.defect === undefined ? message : 'request failed');
    });
    next();
  };
}

interface Failure {
  fields: { cause?: Cause; limit?: string; err?: unknown };
  /** Whether the logger limits its lines. */
  isLimited: boolean;
}

/** Counts why a request failed. Anyone can overload the service, so those lines are limited like all that anyone can cause. */
function noteFailure(request: IdentifiedRequest, faults: FaultLog): Failure | null {
  const { defect, isAuthenticated } = request;
  const cause = request.cause ?? (defect === undefined ? undefined : causeOfDefect(defect));
  if (!cause) return null;
  const noted = faults.note(cause);
  if (defect !== undefined) return { fields: { err: defect }, isLimited: true };
  if (cause.name === 'overload' && !isAuthenticated) return { fields: { limit: cause.limit }, isLimited: false };
  return { fields: { cause: noted }, isLimited: true };
}

/** The log fields that identify a request. */
function requestFields(request: IdentifiedRequest) {
  const { organizationId = '' } = request.params as { organizationId?: string };
  const traceparent = traceparentOf(request);
  return {
    requestId: request.id,
    traceId: traceparent === null ? undefined : traceIdOf(traceparent),
    organizationId:
      request.context?.organizationId ?? (ORGANIZATION_ID.test(organizationId) ? organizationId : undefined),
    method: request.method,
    route: routeOf(request),
  };
}

function describeRequest(request: IdentifiedRequest, response: Response, milliseconds: number) {
  const status = isAnswered(response) ? response.statusCode : undefined;
  return { ...requestFields(request), status, durationMs: Math.round(milliseconds) };
}

function levelOf(request: IdentifiedRequest, response: Response): 'error' | 'info' | 'debug' {
  const { statusCode: status } = response;
  const { isAuthenticated, hasFailed, defect } = request;
  if (defect !== undefined) return 'error';
  if (!isAnswered(response)) return 'info';
  // An unauthenticated request is also refused with 503 because of what strangers do, such as many sign-ins at a time.
  if (status >= 500) return isAuthenticated || hasFailed || status !== 503 ? 'error' : 'info';
  return status >= 400 && status !== 429 ? 'info' : 'debug';
}
