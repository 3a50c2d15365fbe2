import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { pageHeaders } from '../../platform/http/page-headers.js';

// Swagger UI's page has inline styles, and contains no user input.
const HEADERS = pageHeaders(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
);

const DESCRIPTION = `
List an organization's agent groups, send messages into chats and hand chats to people.

Every request carries \`Authorization: Bearer <personal access token>\`; the token decides the organization. Errors are
\`application/problem+json\`; every response carries \`X-Request-Id\`. A 500 or 503 may be retried with exponential
back-off; with an \`Idempotency-Key\` a retry cannot do anything twice.`;

/** The OpenAPI 3.1 document of the bot API, generated from its controllers. */
function createBotApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley bot API')
    .setDescription(DESCRIPTION.trim())
    .setVersion('1')
    .addServer('/')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'prl_pat_…',
        description: 'A personal access token of a bot',
      },
      'accessToken',
    );
  const document = SwaggerModule.createDocument(app, builder.build());
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/api/bot/')));
  return toOpenApi31(keepUsedSchemas(document)) as OpenAPIObject;
}

/** Serves the document at `/api/bot/docs`, and as a page at `/docs`. */
export function serveBotApiDocument(app: INestApplication): void {
  app.use('/docs', setPageHeaders);
  SwaggerModule.setup('docs', app, () => createBotApiDocument(app), {
    jsonDocumentUrl: 'api/bot/docs',
    customSiteTitle: 'Parley bot API',
    raw: ['json'],
  });
}

function setPageHeaders(_request: Request, response: Response, next: NextFunction): void {
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

// The library still writes `nullable` of OpenAPI 3.0; in 3.1, a list of types replaces it.
function toOpenApi31(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toOpenApi31);
  if (typeof part !== 'object' || part === null) return part;
  const { nullable, ...rest } = part as Record<string, unknown>;
  if (nullable === true) rest.type = [rest.type, 'null'];
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApi31(value)]));
}
