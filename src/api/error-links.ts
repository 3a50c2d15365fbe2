import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ERRORS_PATH } from '../platform/errors/problem-codes.js';

/** Where the page of errors is, relative to ERRORS_PATH, so that it works behind a proxy that adds a path. */
const PAGE = 'reference/errors';

/** Redirects the `type` of problems to the page of errors. Browsers keep the code after `#`. */
export function serveErrorLinks(app: INestApplication): void {
  app.getHttpAdapter().get(ERRORS_PATH, (_request: Request, response: Response) => response.redirect(PAGE));
}
