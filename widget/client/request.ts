import type { VisitorError } from './types.js';

/** A request waits this long for its answer, in milliseconds. */
export const REQUEST_TIMEOUT = 10_000;

/** A failed request. It is an Error, so that its detail shows up even where a caller ignores its code. */
export class RequestError extends Error implements VisitorError {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

export const FORGOTTEN = new RequestError('interrupted', 'The visitor was forgotten');

const TRANSIENT = ['unreachable', 'unavailable', 'rate_limited', 'internal_error'];

export function hasCode(error: unknown, code: string): error is RequestError {
  return error instanceof RequestError && error.code === code;
}

/** Whether the same request may succeed later. Errors other than a RequestError count as transient. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof RequestError) || TRANSIENT.includes(error.code);
}

export function toVisitorError(error: unknown): VisitorError {
  return error instanceof RequestError
    ? { code: error.code, detail: error.detail }
    : { code: 'unreachable', detail: String((error as Error | undefined)?.message ?? error) };
}

/** Sends a request to the REST API. @throws RequestError */
export async function request<T>(
  url: string,
  token: string | undefined,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<T> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(url, {
      method,
      // A DELETE must outlive the page: visitors often leave it when they sign out.
      keepalive: !body,
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    answer = await response.json().catch(() => null);
  } catch (error) {
    throw new RequestError('unreachable', String((error as Error).message));
  }
  if (response.ok && answer) return answer as T;
  // An answer without a code comes from a proxy, not from the service: the failure may be short.
  const { code = 'unavailable', detail = `status ${response.status}` } = (answer ?? {}) as Partial<VisitorError>;
  throw new RequestError(code, detail);
}
