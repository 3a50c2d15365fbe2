import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { type DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
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

/** The documented API of an audience. */
export interface ApiDocument {
  /** The name on the page. */
  name: string;
  /** The beginning of the paths of its routes. */
  prefix: string;
  /** Where the document is served. */
  url: string;
  describe: () => DocumentBuilder;
}

/** The OpenAPI 3.1 document of an audience, generated from its controllers. */
function createDocument(app: INestApplication, { prefix, describe }: ApiDocument): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, describe().setOpenAPIVersion('3.1.0').addServer('/').build());
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(prefix)));
  return toOpenApi31(keepUsedSchemas(document)) as OpenAPIObject;
}

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
  if (!PATHS.has(request.path)) return answerProblem(response, request.id, new Problem('not_found', 'No such file'));
  response.set(HEADERS);
  next();
}

// The scan also finds the schemas of the other APIs.
function keepUsedSchemas(document: OpenAPIObject): OpenAPIObject {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!name || used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit(document.paths);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas } };
}

// The library still writes `nullable` of OpenAPI 3.0; in 3.1, a list of types replaces it, or of schemas for a reference.
function toOpenApi31(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toOpenApi31);
  if (typeof part !== 'object' || part === null) return part;
  const { nullable, ...rest } = part as Record<string, unknown>;
  if (nullable === true && Array.isArray(rest.allOf)) {
    rest.oneOf = [...(rest.allOf as unknown[]), { type: 'null' }];
    delete rest.allOf;
  } else if (nullable === true) rest.type = [rest.type, 'null'];
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApi31(value)]));
}
