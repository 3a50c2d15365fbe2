import type { Cause } from './cause.js';
import { type ProblemCode, PROBLEMS } from './problem-codes.js';

/**
 * One invalid field: a JSON Pointer into the body (or `?name` for a query field, or a header's name) and the reason.
 */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** A query parameter that is well-formed but has a wrong value. */
export interface ParameterError {
  parameter: string;
  detail: string;
}

/** An error that is meant for the client. Every other error becomes an opaque 500. */
export class Problem extends Error {
  /** Why the request failed, for the log. Never sent to the client. */
  reason?: Cause;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly errors?: (FieldError | ParameterError)[],
    readonly retryAfterSeconds?: number,
    /** Extra members of the body (RFC 9457, section 3.2). */
    readonly members: Record<string, unknown> = {},
  ) {
    super(detail);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** A problem that no client causes, such as a node that isn't ready. It's logged as an error. */
export class Fault extends Problem {}

/** Throws a 404 for this kind of resource. Another tenant's resource gets the same text as one that doesn't exist. */
export function notFound(kind: string): never {
  throw new Problem('not_found', `${kind} not found`);
}

/** A 400 that names one field. */
export function invalid(pointer: string, detail: string): Problem {
  return validationFailed([{ pointer, detail }]);
}

/** A 400 that names each invalid field. */
export function validationFailed(errors: FieldError[]): Problem {
  return new Problem('validation_failed', errors.map(describe).join('; '), errors);
}

/** A problem with extra members that describe the state that caused it. */
export function problemWith(code: ProblemCode, detail: string, members: Record<string, unknown>): Problem {
  return new Problem(code, detail, undefined, undefined, members);
}

/** A 503 with the number of seconds to wait before a retry. */
export function unavailable(detail: string, retryAfterSeconds = 1): Problem {
  return new Problem('unavailable', detail, undefined, retryAfterSeconds);
}

/** Adds why a request failed, for the log. */
export function because<P extends Problem>(problem: P, reason: Cause): P {
  return Object.assign(problem, { reason });
}

/**
 * The 503 of an overloaded process, sent immediately so that requests don't pile up.
 * @param limit the limit that was reached, with its number, for the log
 */
export function overloaded(limit: string): Problem {
  const message = 'too many requests are running or waiting';
  return because(unavailable('The server is overloaded; retry later'), { name: 'overload', message, limit });
}

function describe(error: FieldError): string {
  return `${error.pointer.replace(/^\//, '') || 'body'} ${error.detail}`;
}
