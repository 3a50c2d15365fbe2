import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type ApiDocument, createDocument } from './document.js';

/** Serves each document as JSON at its own address. */
export function serveDocuments(app: INestApplication, documents: readonly ApiDocument[]): void {
  for (const document of documents) serveJson(app, document);
}

// Made at the first request: it takes about 100 ms. A browser gets the API reference, which shows the document.
function serveJson(app: INestApplication, document: ApiDocument): void {
  const [, , audience] = document.prefix.split('/');
  let made: OpenAPIObject | undefined;
  app.getHttpAdapter().get(document.url, (request: Request, response: Response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') return response.redirect(`/docs/api/${audience!}/`);
    response.json((made ??= createDocument(app, document)));
  });
}
