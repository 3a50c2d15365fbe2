import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Logger, Params } from 'nestjs-pino';
import { pino, type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.js';
import { type HttpMetrics, isAnswered, routeOf } from '../http/http-metrics.js';
import { traceIdOf, traceparentOf } from './trace.js';

const BOOT_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  'WebSocketsController',
]);

/** JSON lines, or lines for people on a terminal. */
export function createLogger(config: Config): PinoLogger {
  const options = { level: config.LOG_LEVEL, serializers: { err: describeError } };
  const isTerminal = process.stdout.isTTY && !config.isProduction;
  return isTerminal
    ? pino(options, pretty({ ignore: 'pid,hostname,context', messageFormat: '{context} {msg}' }))
    : pino(options);
}

/** What Nest's logger writes to. Requests are not its business: a child logger for each was 6 % of the CPU of a send. */
export function loggingParams(logger: PinoLogger): Params {
  return { pinoHttp: { logger, serializers: { err: describeError }, wrapSerializers: false }, forRoutes: [] };
}

type IdentifiedRequest = Request & {
  id: string;
  bot?: { organizationId: string };
  visitor?: { organizationId: string };
};

const ORGANIZATION_ID = /^org_[0-9a-z]{26}$/;

/**
 * Logs and counts a request when it is over, by method, route and status: no token, no address, no query, no content. What
 * goes well is `debug`, since it is no news at thousands of requests a second; a refusal is `info`, our own fault `error`.
 */
export function accessLog(logger: PinoLogger, metrics: HttpMetrics) {
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    metrics.begin();
    // `close` comes also when the client has gone before its answer.
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      metrics.end(request, response, milliseconds);
      const level = levelOf(response);
      if (!logger.isLevelEnabled(level)) return;
      const words = isAnswered(response) ? 'answered' : 'the client has gone';
      logger[level](describeRequest(request, response, milliseconds), words);
    });
    next();
  };
}

/** What tells in the log which request a line is about. */
export function requestFields(request: IdentifiedRequest) {
  const { organizationId = '' } = request.params as { organizationId?: string };
  const traceparent = traceparentOf(request);
  return {
    requestId: request.id,
    traceId: traceparent === null ? undefined : traceIdOf(traceparent),
    organizationId:
      request.bot?.organizationId ??
      request.visitor?.organizationId ??
      (ORGANIZATION_ID.test(organizationId) ? organizationId : undefined),
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

// What a database says of an error holds the rows and values that people sent: only its code and names are kept, and of a
// value that it cannot take (class 22) not even its words, which repeat it.
export function describeError(error: Error & { code?: string; constraint?: string; driverError?: Error }) {
  const { code, constraint } = (error.driverError ?? error) as typeof error;
  const isOfData = /^22[0-9A-Z]{3}$/.test(String(code));
  const message = isOfData ? 'the database does not take a value' : error.message;
  const stack = isOfData ? error.stack?.split(error.message).join(message) : error.stack;
  return { type: error.name, message, code, constraint, stack };
}

/** Nest's own account of how it starts is for whoever debugs it. */
export function quietStart(logger: Logger): LoggerService {
  const quiet = Object.create(logger) as Logger;
  quiet.log = (message: unknown, ...params: unknown[]) =>
    BOOT_CONTEXTS.has(String(params.at(-1))) ? logger.debug(message, ...params) : logger.log(message, ...params);
  // That it could not listen is told by main, in one line.
  quiet.error = (message: unknown, ...params: unknown[]) =>
    params.at(-1) === 'NestApplication' ? logger.debug(message, ...params) : logger.error(message, ...params);
  return quiet;
}
