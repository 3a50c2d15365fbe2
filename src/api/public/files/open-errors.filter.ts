import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { Response } from 'express';
import { ProblemFilter } from '../../../platform/http/responses/problem.filter.js';

/** Errors that any page may read. */
@Catch()
export class OpenErrorsFilter extends ProblemFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (!response.headersSent) response.setHeader('Access-Control-Allow-Origin', '*');
    super.catch(error, host);
  }
}
