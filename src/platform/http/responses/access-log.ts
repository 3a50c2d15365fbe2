import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { PublicLog } from '../../telemetry/public-log.js';
import { traceIdOf, traceparentOf } from '../../telemetry/trace.js';
import { type HttpMetrics, isAnswered, routeOf } from './http-metrics.js';

type IdentifiedRequest = Request & {
  id: string;
  context?: { organizationId: string };
  isAuthenticated?: boolean;
  hasFailed?: boolean;
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

/** Whether to log a line about a request. If anyone can send it, only some lines per minute are logged. */
export function admitsLine(request: IdentifiedRequest, log: PublicLog, what: number | string): boolean {
  return request.isAuthenticated === true || log.admits(`${what} ${routeOf(request)}`);
}

/**
 * Logs and counts a finished request by method, route and status, without tokens, addresses, queries or content. A
 * success is `debug`, because there are thousands a second; a rejected request is `info`, a server error `error`, unless anyone can
 * cause it.
 */
export function accessLog(logger: Logger, metrics: HttpMetrics, log: PublicLog) {
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    metrics.begin();
    // `close` is also emitted when the client disconnected before its response.
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      metrics.end(request, response, milliseconds);
      const level = levelOf(request, response);
      if (!logger.isLevelEnabled(level)) return;
      const isWhole = isAnswered(response);
      if (level !== 'debug' && !admitsLine(request, log, isWhole ? response.statusCode : 'disconnected')) return;
      const message = isWhole ? 'answered' : 'the client disconnected';
      logger[level](describeRequest(request, response, milliseconds), message);
    });
    next();
  };
}

/** The log fields that identify a request. */
export function requestFields(request: IdentifiedRequest) {
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

function levelOf({ isAuthenticated, hasFailed }: IdentifiedRequest, response: Response): 'error' | 'info' | 'debug' {
  const { statusCode: status } = response;
  if (!isAnswered(response)) return 'info';
  // An unauthenticated request is also refused with 503 because of what strangers do, such as many sign-ins at a time.
  if (status >= 500) return isAuthenticated || hasFailed || status !== 503 ? 'error' : 'info';
  return status >= 400 && status !== 429 ? 'info' : 'debug';
}
