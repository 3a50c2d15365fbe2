import { REQUEST_TIMEOUT_MS, RequestError } from '../../headless/errors.js';
import type { VisitorError } from './types.js';

export const CLOSED = /* @__PURE__ */ new RequestError('interrupted', 'The client was closed');
/** There is no session, and none may begin. Only compared: no one sees it. */
export const NO_SESSION = /* @__PURE__ */ new RequestError('not_found', '');
export const FORGOTTEN = /* @__PURE__ */ new RequestError('interrupted', 'The visitor was forgotten');

/** Sends a request to the REST API. @throws RequestError */
export async function request<T>(
  url: string,
  token: string | undefined,
  body?: object,
  method = body ? 'POST' : 'GET',
  timeoutMs = REQUEST_TIMEOUT_MS,
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
      signal: AbortSignal.timeout(timeoutMs),
    });
    answer = await response.json().catch(() => null);
  } catch (error) {
    throw new RequestError('unreachable', String((error as Error).message));
  }
  // 202 and 204 have no body.
  if (response.ok && (answer || response.status > 201)) return answer as T;
  // An answer without a code comes from a proxy, not from the service: the failure may be short.
  const { code = 'unavailable', detail = `status ${response.status}` } = (answer ?? {}) as Partial<VisitorError>;
  throw new RequestError(code, detail);
}
