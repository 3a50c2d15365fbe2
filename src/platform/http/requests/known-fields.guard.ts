import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isJsonObject } from '../../lib/json.js';
import { validationFailed } from '../../errors/problem.js';
import { type Class, takesParameter } from '../../validation/validation-rules.js';
import { parametersOf } from './route-limits.js';

/** The most fields that an error names, and the most characters of each name. */
const MAX_NAMED = 20;
const MAX_NAME = 64;

/** Rejects fields of the body and the query that the route doesn't take: ignoring an unknown filter would find too much. */
@Injectable()
export class KnownFieldsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body, query } = parametersOf(context);
    const request = context.switchToHttp().getRequest<Request>();
    const unknown = [...unknownIn(request.query, query, '?'), ...(body ? unknownIn(request.body, body, '/') : [])];
    if (unknown.length > 0) throw validationFailed(unknown.slice(0, MAX_NAMED));
    return true;
  }
}

function unknownIn(given: unknown, type: Class | undefined, mark: '?' | '/') {
  if (!isJsonObject(given)) return [];
  return Object.keys(given)
    .filter((name) => !type || !takesParameter(type, name))
    .map((name) => ({ pointer: mark + name.slice(0, MAX_NAME), detail: 'is not a known parameter' }));
}
