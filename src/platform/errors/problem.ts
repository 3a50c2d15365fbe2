/** The `code` of each error body and its HTTP status (docs: problem+json). */
export const PROBLEMS = {
  unauthorized: 401,
  forbidden: 403,
  wrong_password: 403,
  validation_failed: 400,
  malformed_json: 400,
  body_too_large: 400,
  not_found: 404,
  conflict: 409,
  agent_unavailable: 409,
  already_assigned: 409,
  no_bot: 409,
  nobody_available: 409,
  not_assigned: 409,
  not_ended: 409,
  not_owner: 409,
  not_waiting: 409,
  offer_ended: 409,
  offer_over: 409,
  offered: 409,
  organization_required: 409,
  rating_off: 409,
  rating_over: 409,
  superseded: 409,
  too_many: 409,
  precondition_failed: 412,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

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
    return PROBLEMS[this.code];
  }
}

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

/** The 503 of an overloaded process, sent immediately so that requests don't pile up. */
export function overloaded(): Problem {
  return unavailable('The server is overloaded; retry later');
}

function describe(error: FieldError): string {
  return `${error.pointer.replace(/^\//, '') || 'body'} ${error.detail}`;
}
