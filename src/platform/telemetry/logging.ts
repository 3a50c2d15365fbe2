import type { LoggerService } from '@nestjs/common';
import type { Logger, Params } from 'nestjs-pino';
import { pino, type Logger as PinoLogger, type LoggerOptions } from 'pino';
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

/** Decides whether a line is written, by its fields and its message. */
export type AdmitsLine = (fields: unknown, message: unknown) => boolean;

/** Logs JSON lines, or readable lines on a terminal outside production. */
export function createLogger(config: Config, admits: AdmitsLine = () => true): PinoLogger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    serializers: { err: describeError },
    hooks: {
      logMethod(args, method) {
        if (admits(args[0], args[1])) method.apply(this, args);
      },
    },
  };
  const isTerminal = process.stdout.isTTY && !config.isProduction;
  return isTerminal
    ? pino(options, pretty({ ignore: 'pid,hostname,context', messageFormat: '{context} {msg}' }))
    : pino(options);
}

/** The options of Nest's logger. It doesn't log requests: a child logger per request cost 6 % of a send's CPU time. */
export function loggingParams(logger: PinoLogger): Params {
  return { pinoHttp: { logger, serializers: { err: describeError }, wrapSerializers: false }, forRoutes: [] };
}

// An error's text from the database contains rows and values that people sent, so only its code and names are logged.
// When the database rejects a value (class 22), not even the message is logged, because it repeats the value.
export function describeError(error: Error & { code?: string; constraint?: string; driverError?: Error }) {
  const { code, constraint } = (error.driverError ?? error) as typeof error;
  const isDataException = /^22[0-9A-Z]{3}$/.test(String(code));
  const message = isDataException ? 'the database does not take a value' : error.message;
  const stack = isDataException ? error.stack?.split(error.message).join(message) : error.stack;
  return { type: error.name, message, code, constraint, stack };
}

/** Logs Nest's own startup lines as `debug`. */
export function withQuietStart(logger: Logger): LoggerService {
  const wrapped = Object.create(logger) as Logger;
  wrapped.log = (message: unknown, ...params: unknown[]) =>
    BOOT_CONTEXTS.has(String(params.at(-1))) ? logger.debug(message, ...params) : logger.log(message, ...params);
  // main.ts reports a failure to listen, in one line.
  wrapped.error = (message: unknown, ...params: unknown[]) =>
    params.at(-1) === 'NestApplication' ? logger.debug(message, ...params) : logger.error(message, ...params);
  return wrapped;
}
