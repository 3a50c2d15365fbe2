import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../../platform/errors/problem.js';

/** For a GET that changes something: HEAD, which Express gives to the handlers of GET, is refused. */
@Injectable()
export class TakingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Request>().method === 'HEAD') throw new Problem('not_found', 'No such route');
    return true;
  }
}

/** Aborted when the client has gone. */
export function untilGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
