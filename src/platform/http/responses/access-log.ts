import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { traceIdOf, traceparentOf } from '../../telemetry/trace.js';
import { type HttpMetrics, isAnswered, routeOf } from './http-metrics.js';

type IdentifiedRequest = Request & {
  id: string;
  context?: { organizationId: string };
};

const ORGANIZATION_ID = /^org_[0-9a-z]{26}$/;

/**
 * Logs and counts a finished request by method, route and status, without tokens, addresses, queries or content. A
 * success is `debug`, because there are thousands a second; a rejected request is `info`, a server error `error`.
 */
export function accessLog(logger: Logger, metrics: HttpMetrics) {
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    metrics.begin();
    // `close` is also emitted when the client disconnected before its response.
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      metrics.end(request, response, milliseconds);
      const level = levelOf(response);
      if (!logger.isLevelEnabled(level)) return;
      const message = isAnswered(response) ? 'answered' : 'the client disconnected';
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

function levelOf(response: Response): 'error' | 'info' | 'debug' {
  const { statusCode: status } = response;
  if (!isAnswered(response)) return 'info';
  if (status >= 500) return 'error';
  return status >= 400 && status !== 429 ? 'info' : 'debug';
}
