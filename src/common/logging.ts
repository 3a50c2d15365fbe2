import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Logger, Params } from 'nestjs-pino';
import { pino, type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.js';

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

/**
 * Logs a request when it is answered, by method, path and status: no token, no query, no content. What goes well is
 * `debug`, since it is no news at thousands of requests a second; a refusal is `info`, our own fault `error`.
 */
export function accessLog(logger: PinoLogger) {
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('finish', () => {
      const level = levelOf(response.statusCode);
      if (logger.isLevelEnabled(level)) logger[level](describeRequest(request, response, startedAt), 'answered');
    });
    next();
  };
}

function describeRequest(request: IdentifiedRequest, response: Response, startedAt: number) {
  return {
    requestId: request.id,
    organizationId: request.bot?.organizationId ?? request.visitor?.organizationId,
    method: request.method,
    path: request.originalUrl.split('?')[0],
    status: response.statusCode,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function levelOf(status: number): 'error' | 'info' | 'debug' {
  if (status >= 500) return 'error';
  return status >= 400 && status !== 429 ? 'info' : 'debug';
}

// What a database says of an error holds the rows and values that people sent: only its code and names are kept.
function describeError(error: Error & { code?: string; constraint?: string; driverError?: Error }) {
  const { code, constraint } = (error.driverError ?? error) as typeof error;
  return { type: error.name, message: error.message, code, constraint, stack: error.stack };
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
