import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type FieldError, Problem, validationFailed } from '../../errors/problem.js';
import { findMisspelt } from '../../validation/misspelt.js';
import { parametersOf, type Parameters } from './route-limits.js';
import { toFieldError, ValidationPipe } from './validation.pipe.js';

/**
 * Rejects fields of the body and the query that nearly have the name of one that the route takes: ignoring a misspelt `ifOwner` would
 * let a bot talk over a person. Comes after the guard that reads the body. Other unknown fields are ignored.
 */
@Injectable()
export class FieldNamesGuard implements CanActivate {
  private readonly pipe = new ValidationPipe();

  canActivate(context: ExecutionContext): boolean {
    const parameters = parametersOf(context);
    const request = context.switchToHttp().getRequest<Request>();
    const misspelt = [...misspeltIn(request, parameters, 'body'), ...misspeltIn(request, parameters, 'query')];
    if (misspelt.length === 0) return true;
    const others = [...this.othersIn(request, parameters, 'body'), ...this.othersIn(request, parameters, 'query')];
    throw validationFailed([...misspelt, ...others]);
  }

  // What the pipe would say about the other fields, because the error names each invalid field.
  private othersIn(request: Request, parameters: Parameters, type: Part): FieldError[] {
    try {
      this.pipe.transform(request[type], { type, metatype: parameters[type] });
      return [];
    } catch (error) {
      if (error instanceof Problem && error.errors) return error.errors as FieldError[];
      throw error;
    }
  }
}

/** Does the same for a body that a route parses itself. @throws Problem validation_failed */
export function refuseMisspelt(type: NonNullable<Parameters['body']>, body: unknown): void {
  const misspelt = findMisspelt(type, body).map((fault) => toFieldError(fault, '/'));
  if (misspelt.length > 0) throw validationFailed(misspelt);
}

type Part = keyof Parameters;

function misspeltIn(request: Request, parameters: Parameters, part: Part): FieldError[] {
  const type = parameters[part];
  if (!type) return [];
  return findMisspelt(type, request[part]).map((fault) => toFieldError(fault, part === 'query' ? '?' : '/'));
}
