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

/** One invalid field: a JSON Pointer into the body (or `?name` of the query, or the name of a header) and the reason. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** A parameter of the query whose form is right and whose value is not. */
export interface ParameterError {
  parameter: string;
  detail: string;
}

/** An error that is meant for the client; every other error becomes an opaque 500. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly errors?: (FieldError | ParameterError)[],
    readonly retryAfterSeconds?: number,
    /** Members of the body beside those that all problems have (RFC 9457, section 3.2). */
    readonly members: Record<string, unknown> = {},
  ) {
    super(detail);
  }

  get status(): number {
    return PROBLEMS[this.code];
  }
}

/** Throws a 404 for this kind of resource. The resource of another tenant gets the same text as one that does not exist. */
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

/** A problem that tells more about the state that refuses the request. */
export function problemWith(code: ProblemCode, detail: string, members: Record<string, unknown>): Problem {
  return new Problem(code, detail, undefined, undefined, members);
}

/** A 503 with the seconds after which the client should retry. */
export function unavailable(detail: string, retryAfterSeconds = 1): Problem {
  return new Problem('unavailable', detail, undefined, retryAfterSeconds);
}

/** The 503 of an overloaded process: sent at once, so that requests do not pile up. */
export function overloaded(): Problem {
  return unavailable('The server is overloaded; retry later');
}

function describe(error: FieldError): string {
  return `${error.pointer.replace(/^\//, '') || 'body'} ${error.detail}`;
}
