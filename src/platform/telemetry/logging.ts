import type { LoggerService } from '@nestjs/common';
import type { Logger, Params } from 'nestjs-pino';
import { pino, type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.js';

const BOOT_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  'WebSocketsController',
]);

/** Logs JSON lines; readable lines on a terminal, except in production. */
export function createLogger(config: Config): PinoLogger {
  const options = { level: config.LOG_LEVEL, serializers: { err: describeError } };
  const isTerminal = process.stdout.isTTY && !config.isProduction;
  return isTerminal
    ? pino(options, pretty({ ignore: 'pid,hostname,context', messageFormat: '{context} {msg}' }))
    : pino(options);
}

/** The options of Nest's logger. It does not log requests: a child logger per request cost 6 % of the CPU of a send. */
export function loggingParams(logger: PinoLogger): Params {
  return { pinoHttp: { logger, serializers: { err: describeError }, wrapSerializers: false }, forRoutes: [] };
}

// The database's text of an error holds the rows and values that people sent: so only its code and names are logged.
// For a value that the database does not accept (class 22), not even the message, because it repeats the value.
export function describeError(error: Error & { code?: string; constraint?: string; driverError?: Error }) {
  const { code, constraint } = (error.driverError ?? error) as typeof error;
  const isDataException = /^22[0-9A-Z]{3}$/.test(String(code));
  const message = isDataException ? 'the database does not take a value' : error.message;
  const stack = isDataException ? error.stack?.split(error.message).join(message) : error.stack;
  return { type: error.name, message, code, constraint, stack };
}

/** Logs Nest's own lines about its start as `debug`. */
export function withQuietStart(logger: Logger): LoggerService {
  const wrapped = Object.create(logger) as Logger;
  wrapped.log = (message: unknown, ...params: unknown[]) =>
    BOOT_CONTEXTS.has(String(params.at(-1))) ? logger.debug(message, ...params) : logger.log(message, ...params);
  // main.ts reports a failure to listen, in one line.
  wrapped.error = (message: unknown, ...params: unknown[]) =>
    params.at(-1) === 'NestApplication' ? logger.debug(message, ...params) : logger.error(message, ...params);
  return wrapped;
}
