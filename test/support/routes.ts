import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Parley } from './parley.js';

/** Paths of middleware and of the OpenAPI pages, which aren't routes of the service. */
const OTHER_PATHS = /\*|^\/docs/;

/** Every route of the running service, such as `GET /api/bot/groups`. */
export function knownRoutes({ app }: Parley): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: any[] } };
  return router.stack
    .flatMap(({ route }) =>
      route ? Object.keys(route.methods).map((method) => [method.toUpperCase(), String(route.path)] as const) : [],
    )
    .filter(([, path]) => !OTHER_PATHS.test(path))
    .map((route) => route.join(' '));
}

/** The routes that answer from now on with a status below 400, in the form of `knownRoutes`. */
export function recordAnsweredRoutes({ app }: Parley): Set<string> {
  const answered = new Set<string>();
  const server = app.getHttpServer() as Server;
  server.on('request', (request: IncomingMessage & { route?: { path: string } }, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.route && response.statusCode < 400) answered.add(`${request.method} ${request.route.path}`);
    });
  });
  return answered;
}
