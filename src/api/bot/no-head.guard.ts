import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../platform/errors/problem.js';

/** Rejects HEAD, which Express passes to GET handlers, on a GET route that changes something. */
@Injectable()
export class NoHeadGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Request>().method === 'HEAD')
      throw new Problem('not_found', 'No route matches this method and path');
    return true;
  }
}
