import type { LoggerService } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Logger, Params } from 'nestjs-pino';
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

/** JSON lines, or lines for people on a terminal. A request is logged by method, route and status: no token, no content. */
export function loggingParams(config: Config): Params {
  const options: Params['pinoHttp'] = {
    level: config.LOG_LEVEL,
    genReqId: (request) => request.id,
    customLogLevel: (_request, response, error) => levelOf(response.statusCode, error),
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      err: describeError,
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customProps: (
      request: IncomingMessage & { bot?: { organizationId: string }; visitor?: { organizationId: string } },
    ) => ({
      organizationId: request.bot?.organizationId ?? request.visitor?.organizationId,
    }),
    customSuccessMessage: (_request, _response, milliseconds) => `answered in ${Math.round(milliseconds)} ms`,
    customErrorMessage: () => 'failed',
  };
  const isTerminal = process.stdout.isTTY && !config.isProduction;
  const stream = isTerminal ? pretty({ ignore: 'pid,hostname,context', messageFormat: '{context} {msg}' }) : undefined;
  return { pinoHttp: stream ? [options, stream] : options };
}

// What a database says of an error holds the rows and values that people sent: only its code and names are kept.
function describeError(error: Error & { code?: string; constraint?: string; driverError?: Error }) {
  const { code, constraint } = (error.driverError ?? error) as typeof error;
  return { type: error.name, message: error.message, code, constraint, stack: error.stack };
}

// What goes well is no news at 5,000 requests a second.
function levelOf(status: number, error?: Error): 'error' | 'info' | 'debug' {
  if (status >= 500 || error) return 'error';
  return status >= 400 && status !== 429 ? 'info' : 'debug';
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
