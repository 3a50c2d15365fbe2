import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from 'nestjs-pino';
import { randomUUID } from 'node:crypto';
import { LOGGER } from './platform/platform.module.js';
import { ClientAddress } from './auth/limits/client-address.js';
import { ConnectionsByAddress } from './auth/limits/connections-by-address.js';
import { PublicRate } from './auth/limits/public-rate.js';
import { Config } from './platform/config/config.js';
import { trustOf } from './platform/http/server/client-ip.js';
import { startDeadline } from './platform/http/responses/deadline.js';
import { HttpMetrics } from './platform/http/responses/http-metrics.js';
import type { HttpAdapter } from './platform/http/server/http.adapter.js';
import { UnsentBytes } from './platform/http/server/unsent-bytes.js';
import { Lifecycle } from './platform/http/server/lifecycle.js';
import { accessLog } from './platform/http/responses/access-log.js';
import { FaultLog } from './platform/database/faults/fault-log.js';
import { PublicLog } from './platform/telemetry/public-log.js';
import { withQuietStart } from './platform/telemetry/logging.js';
import { answerProblem, ProblemFilter, PUBLIC_URL } from './platform/http/responses/problem.filter.js';
import { removeBasePath } from './platform/http/server/base-path.js';
import { ClosedConnections } from './platform/http/server/closed-connections.js';
import { ValidationPipe } from './platform/http/requests/validation.pipe.js';
import { AgentsGateway } from './api/agent/agents.gateway.js';
import { VisitorsGateway } from './api/visitor/visitors.gateway.js';
import { ADMIN_API } from './api/admin/openapi.js';
import { AGENT_API } from './api/agent/openapi.js';
import { BOT_API } from './api/bot/openapi.js';
import { VISITOR_API } from './api/visitor/openapi.js';
import { Problem } from './platform/errors/problem.js';
import { serveDocuments, serveErrorLinks } from './api/openapi.js';
import { limitsOfEvents } from './live/connections/event-limits.js';
import { SocketIoAdapter } from './live/connections/socket-io.adapter.js';

/** The documented APIs, in the order of the page. @public scripts/openapi/write.mjs reads it from the build */
export const DOCUMENTS = [BOT_API, VISITOR_API, AGENT_API, ADMIN_API];

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** A browser that came by https uses only https on this host for a year. Below a path, the host is another site's: it decides. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Nest's body parser is off, because bodies are read after the guards. */
export const APP_OPTIONS = { bodyParser: false, bufferLogs: true, abortOnError: false } as const;

/** Configures a Nest application as the service: pipes, filters, headers, limits. Shared by main and the tests. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(Config);
  const { basePath } = config;
  if (basePath !== '') removeBasePath(app.getHttpServer() as Server, basePath);
  app.useLogger(withQuietStart(app.get(Logger)));
  app.set('trust proxy', trustOf(config));
  app.set('etag', false);
  app.disable('x-powered-by');
  app.setLocal(PUBLIC_URL, config.PUBLIC_URL);
  const identify = identifier(app);
  app.use((request: IdentifiedRequest, response: Response, next: NextFunction) => {
    identify(request, response);
    startDeadline(request, response);
    next();
  });
  app.use(accessLog(app.get(LOGGER), app.get(HttpMetrics), app.get(PublicLog), app.get(FaultLog)));
  app.use('/api/visitor', allowEveryOrigin);
  app.use(['/files', '/uploads'], openToPages);
  if (config.FILES_ORIGIN !== undefined) app.use(onlyFilesOn(config.FILES_ORIGIN));
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new ValidationPipe());
  app.useWebSocketAdapter(new SocketIoAdapter(app, config, limitsOfEvents([VisitorsGateway, AgentsGateway])));
  serveErrorLinks(app);
  serveDocuments(app, DOCUMENTS, basePath);
  limitConnections(app, identify);
  return app;
}

// Signed addresses work for any page, and so do their errors. There are no credentials.
function openToPages(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
}

/** On the origin of files, nothing else is served: a file that a browser runs after all finds no API there. */
function onlyFilesOn(origin: string) {
  const { host } = new URL(origin);
  return (request: Request, response: Response, next: NextFunction): void => {
    const isElsewhere = request.headers.host?.toLowerCase() !== host || /^\/(?:files|uploads)\//.test(request.path);
    if (isElsewhere) return next();
    answerProblem(
      response,
      (request as IdentifiedRequest).id,
      new Problem('not_found', 'No route matches this method and path'),
    );
  };
}

type IdentifiedRequest = Request & { id: string };
type Identify = (request: IdentifiedRequest, response: Response) => void;

/** Sets a request's id, and the headers of every answer. */
function identifier(app: NestExpressApplication): Identify {
  const address = app.get(ClientAddress);
  const lifecycle = app.get(Lifecycle);
  const isWholeHost = app.get(Config).basePath === '';
  return (request, response) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (isWholeHost && address.isSecure(request)) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT);
    if (lifecycle.isDraining) response.setHeader('Connection', 'close');
  };
}

/** Limits what runs before Express: connections, waiting requests, requests without a token, unread answers. */
function limitConnections(app: NestExpressApplication, identify: Identify): void {
  const adapter = app.getHttpAdapter() as HttpAdapter;
  const connections = app.get(ConnectionsByAddress);
  const closed = app.get(ClosedConnections);
  const unsent = app.get(UnsentBytes);
  const rate = app.get(PublicRate);
  const server = app.getHttpServer() as Server;
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('upgrade', ({ socket }: { socket: Socket }) => connections.release(socket));
  adapter.onBytesWritten = (response, bytes) => unsent.watchResponse(response, bytes);
  adapter.onPipelineLimit = (limit) => closed.add(limit);
  adapter.admit = (request, response, start) => {
    const counted = rate.spend(request);
    if (counted === null) return start();
    const refuse = (problem: Problem) => {
      // Express would set this, and needs it to send.
      (request as Request).res = response as Response;
      identify(request as IdentifiedRequest, response as Response);
      // The further requests of a pipeline wouldn't get more.
      if (adapter.waiting.has(request.socket)) response.setHeader('Connection', 'close');
      answerProblem(response as Response, (request as IdentifiedRequest).id, problem);
    };
    counted.then(start, refuse);
  };
}

// Any page may call: the token is the permission, there is no cookie, and the organization's allow-list is checked with
// the token.
function allowEveryOrigin(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Date');
  if (request.method !== 'OPTIONS') return next();
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
}
