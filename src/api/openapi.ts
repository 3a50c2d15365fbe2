import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ERRORS_PATH } from '../platform/errors/problem-codes.js';
import { type ApiDocument, createDocument } from './document.js';
import { answerFile, StaticFile } from './static-file.js';

/** Where the page of errors is, relative to ERRORS_PATH, so that it works behind a proxy that adds a path. */
const ERRORS_PAGE = 'reference/errors';
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' };

/** Serves each document as JSON at its own address. @param basePath the path of PUBLIC_URL; empty without one */
export function serveDocuments(app: INestApplication, documents: readonly ApiDocument[], basePath: string): void {
  for (const document of documents) serveJson(app, document, basePath);
}

// Made at the first request: it takes about 100 ms. A browser gets the API reference, which shows the document.
function serveJson(app: INestApplication, document: ApiDocument, basePath: string): void {
  const [, , audience] = document.prefix.split('/');
  let made: StaticFile | undefined;
  app.getHttpAdapter().get(document.url, async (request: Request, response: Response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') return response.redirect(`${basePath}/docs/api/${audience!}/`);
    made ??= new StaticFile('openapi.json', Buffer.from(JSON.stringify(createDocument(app, document, basePath))));
    await answerFile(request, response, made, HEADERS);
  });
}

/** Redirects the `type` of problems to the page of errors. Browsers keep the code after `#`. */
export function serveErrorLinks(app: INestApplication): void {
  app.getHttpAdapter().get(ERRORS_PATH, (_request: Request, response: Response) => response.redirect(ERRORS_PAGE));
}
