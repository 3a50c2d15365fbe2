import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ApiDocument, createDocument } from './document.js';
import { answerFile, StaticFile } from './static-file.js';

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
