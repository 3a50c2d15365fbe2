import type { Failure } from './types.js';

/** A request waits this long for its answer, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** A failed request. It is an Error, so that its detail shows up even where a caller ignores its code. */
export class RequestError extends Error implements Failure {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

const TRANSIENT: readonly Failure['code'][] = ['unreachable', 'unavailable', 'rate_limited', 'internal_error'];

export function hasCode(error: unknown, code: string): error is RequestError {
  return error instanceof RequestError && error.code === code;
}

/** Whether the same request may succeed later. Errors other than a RequestError count as transient. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof RequestError) || TRANSIENT.includes(error.code);
}

export function toFailure(error: unknown): Failure {
  return error instanceof RequestError
    ? { code: error.code, detail: error.detail }
    : { code: 'unreachable', detail: String((error as Error | undefined)?.message ?? error) };
}
