import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type ApiDocument, createDocument } from './document.js';
import { pageHeaders } from './page-headers.js';
import { answerProblem } from '../platform/http/responses/problem.filter.js';
import { Problem } from '../platform/errors/problem.js';

// Swagger UI's page has inline styles, and contains no user input.
const HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
);

/** The page and what it loads. The library would serve the whole package of Swagger UI. */
const FILES = [
  '/swagger-ui-init.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-16x16.png',
  '/favicon-32x32.png',
];
// The page at `/docs/` loads them from `/docs/docs/`.
const PATHS = new Set(['/', '/index.html', ...FILES, ...FILES.map((file) => `/docs${file}`)]);

/** Serves each document as JSON at its own address, and all of them on the page `/docs`, the first one at the beginning. */
export function serveDocuments(app: INestApplication, documents: readonly ApiDocument[]): void {
  app.use('/docs', onlyThePage);
  for (const document of documents) serveJson(app, document);
  const urls = documents.map(({ name, url }) => ({ name, url }));
  SwaggerModule.setup('docs', app, () => createDocument(app, documents[0]!), {
    customSiteTitle: documents.map(({ name }) => name).join(', '),
    explorer: true,
    raw: false,
    swaggerOptions: { urls },
  });
}

// Made at the first request: it takes about 100 ms.
function serveJson(app: INestApplication, document: ApiDocument): void {
  let made: OpenAPIObject | undefined;
  app.getHttpAdapter().get(document.url, (_request: Request, response: Response) => {
    response.json((made ??= createDocument(app, document)));
  });
}

function onlyThePage(request: Request & { id: string }, response: Response, next: NextFunction): void {
  if (!PATHS.has(request.path)) return answerProblem(response, request.id, new Problem('not_found', 'File not found'));
  response.set(HEADERS);
  next();
}
