import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Logger } from 'nestjs-pino';
import { randomUUID } from 'node:crypto';
import { LOGGER } from './platform/platform.module.js';
import { ClientAddress } from './auth/limits/client-address.js';
import { Config } from './platform/config/config.js';
import { trustOf } from './platform/http/server/client-ip.js';
import { startDeadline } from './platform/http/responses/deadline.js';
import { HttpMetrics } from './platform/http/responses/http-metrics.js';
import type { HttpAdapter } from './platform/http/server/http.adapter.js';
import { UnsentBytes } from './platform/http/server/unsent-bytes.js';
import { Lifecycle } from './platform/http/server/lifecycle.js';
import { accessLog } from './platform/http/responses/access-log.js';
import { PublicLog } from './platform/telemetry/public-log.js';
import { withQuietStart } from './platform/telemetry/logging.js';
import { ProblemFilter, PUBLIC_URL } from './platform/http/responses/problem.filter.js';
import { oneAtATime } from './platform/http/server/pipelining.js';
import { ValidationPipe } from './platform/http/requests/validation.pipe.js';
import { AgentsGateway } from './api/agent/agents.gateway.js';
import { VisitorsGateway } from './api/visitor/visitors.gateway.js';
import { ADMIN_API } from './api/admin/openapi.js';
import { AGENT_API } from './api/agent/openapi.js';
import { BOT_API } from './api/bot/openapi.js';
import { VISITOR_API } from './api/visitor/openapi.js';
import { serveErrorLinks } from './api/error-links.js';
import { serveDocuments } from './api/openapi.js';
import { limitsOfEvents } from './live/connections/event-limits.js';
import { SocketIoAdapter } from './live/connections/socket-io.adapter.js';

/** The documented APIs, in the order of the page. @public scripts/openapi/write.mjs reads it from the build */
export const DOCUMENTS = [BOT_API, VISITOR_API, AGENT_API, ADMIN_API];

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** A browser that came by https uses only https on this host for a year. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Nest's body parser is off, because bodies are read after the guards. */
export const APP_OPTIONS = { bodyParser: false, bufferLogs: true, abortOnError: false } as const;

/** Configures a Nest application as the service: pipes, filters, headers, limits. Shared by main and the tests. */
export function configureApp(app: NestExpressApplication): NestExpressApplication {
  const config = app.get(Config);
  const lifecycle = app.get(Lifecycle);
  const address = app.get(ClientAddress);
  app.useLogger(withQuietStart(app.get(Logger)));
  app.set('trust proxy', trustOf(config));
  app.set('etag', false);
  app.disable('x-powered-by');
  app.setLocal(PUBLIC_URL, config.PUBLIC_URL);
  app.use((request: Request & { id: string }, response: Response, next: NextFunction) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (address.isSecure(request)) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT);
    if (lifecycle.isDraining) response.setHeader('Connection', 'close');
    startDeadline(request, response);
    oneAtATime(request, response, next);
  });
  app.use(accessLog(app.get(LOGGER), app.get(HttpMetrics), app.get(PublicLog)));
  app.use('/api/visitor', allowEveryOrigin);
  app.useGlobalFilters(new ProblemFilter(app.get(PublicLog)));
  app.useGlobalPipes(new ValidationPipe());
  app.useWebSocketAdapter(new SocketIoAdapter(app, config, limitsOfEvents([VisitorsGateway, AgentsGateway])));
  serveErrorLinks(app);
  serveDocuments(app, DOCUMENTS);
  const unsent = app.get(UnsentBytes);
  (app.getHttpAdapter() as HttpAdapter).onBytesWritten = (response, bytes) => unsent.watchResponse(response, bytes);
  return app;
}

// Any page may call: the token is the permission, there is no cookie, and the organization's allow-list is checked with
// the token.
function allowEveryOrigin(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
  if (request.method !== 'OPTIONS') return next();
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
}
