import { REQUEST_TIMEOUT_MS, RequestError } from '../../headless/errors.js';
import { basePath } from '../lib/service.js';
import type { Named } from './types.js';

/** The members of a problem (RFC 9457) besides its code and detail. */
export interface ProblemMembers {
  assignedTo?: Named | null;
  offeredTo?: Named | null;
  owner?: string;
  reason?: string;
  organizations?: Named[];
  errors?: { pointer: string; detail: string }[];
  /** The id of the request in the service's log. */
  requestId?: string;
}

/** An error response of the service. */
export class Refusal extends RequestError {
  constructor(
    code: string,
    detail: string,
    readonly status: number,
    readonly members: ProblemMembers,
    /** In seconds; null if the service names no time. */
    readonly retryAfter: number | null,
  ) {
    super(code, detail);
  }
}

let onUnauthorized = (): void => undefined;

/** Sets the listener that is called when a response says that the session has ended. */
export function watchUnauthorized(listener: () => void): void {
  onUnauthorized = listener;
}

/** Requests that were sent ahead, by path. */
const ahead = new Map<string, Promise<Response>>();

/** Sends the request of the first `get` of this path ahead, while the page is still loading. */
export function askAhead(path: string): void {
  const answer = ask('GET', `/api/agent${path}`);
  answer.catch(() => undefined);
  ahead.set(`/api/agent${path}`, answer);
}

/** Drops the requests that were sent ahead. Call this when no one is signed in. */
export function forgetAhead(): void {
  ahead.clear();
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls the agents' API with the session's cookie. @throws RequestError, a Refusal if the service responded */
export function call<T>(method: Method, path: string, body?: object): Promise<T> {
  return request<T>(method, `/api/agent${path}`, body);
}

/** The `ETag` of each resource (CONTRACT: Versions). */
const versions = new WeakMap<object, string>();

/** The version of a resource that `request` returned; undefined if it has none. */
export function versionOf(resource: object): string | undefined {
  return versions.get(resource);
}

/**
 * Calls the service with the session's cookie.
 * @param timeout in milliseconds
 * @param headers such as `If-Match`: any other version is rejected with 412
 * @throws RequestError, a Refusal if the service responded
 */
export async function request<T>(
  method: Method,
  path: string,
  body?: object,
  timeout: number = REQUEST_TIMEOUT_MS,
  headers: Record<string, string> = {},
): Promise<T> {
  let response: Response;
  try {
    const asked = method === 'GET' ? ahead.get(path) : undefined;
    ahead.delete(path);
    response = await (asked ?? ask(method, path, body, timeout, headers));
  } catch (error) {
    throw new RequestError('unreachable', String((error as Error).message));
  }
  const answer: object | null = await response.json().catch(() => null);
  // Only `getAgain` asks so.
  if (response.status === 304) return null as T;
  if (response.ok) {
    const version = response.headers.get('ETag');
    // A proxy that compresses responses makes tags weak.
    if (version && answer) versions.set(answer, version.replace('W/', ''));
    return answer as T;
  }
  const refusal = toRefusal(response, answer);
  const isSigningIn = path === '/api/agent/session' || path.startsWith('/api/agent/session/link');
  if (refusal.status === 401 && !isSigningIn) onUnauthorized();
  throw refusal;
}

function ask(
  method: Method,
  path: string,
  body?: object,
  timeout: number = REQUEST_TIMEOUT_MS,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(basePath + path, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
}

/** The error of a response that is not 2xx. */
export function toRefusal({ status, headers }: Response, answer: unknown): Refusal {
  // A response without a code comes from a proxy, so the failure may be temporary.
  const problem = (answer ?? {}) as { code?: string; detail?: string } & ProblemMembers;
  const retryAfter = Number(headers.get('Retry-After')) || null;
  return new Refusal(problem.code ?? 'unavailable', problem.detail ?? `status ${status}`, status, problem, retryAfter);
}

export const get = <T>(path: string): Promise<T> => call<T>('GET', path);
/** The last response of each path that `getAgain` read. */
const answers = new Map<string, object>();
const MAX_ANSWERS = 8;

/** Reads a path that is read often. A response that didn't change isn't sent again. @throws RequestError */
export async function getAgain<T extends object>(path: string): Promise<T> {
  const known = answers.get(path) as T | undefined;
  const version = known && versionOf(known);
  const headers: Record<string, string> = version ? { 'If-None-Match': version } : {};
  const answer = await request<T | null>('GET', `/api/agent${path}`, undefined, REQUEST_TIMEOUT_MS, headers);
  const latest = answer ?? known!;
  answers.delete(path);
  answers.set(path, latest);
  if (answers.size > MAX_ANSWERS) answers.delete(answers.keys().next().value!);
  return latest;
}

/** Drops the kept responses, so that the next agent who signs in doesn't get them. */
export function forgetAnswers(): void {
  answers.clear();
}

/** Posts while the page closes. The answer isn't known. */
export function postOnLeaving(path: string, body: object): void {
  const headers = { 'Content-Type': 'application/json' };
  const options = { method: 'POST', keepalive: true, headers, body: JSON.stringify(body) };
  void fetch(`${basePath}/api/agent${path}`, options).catch(() => undefined);
}

export const post = <T>(path: string, body: object = {}): Promise<T> => call<T>('POST', path, body);

/** Reads every page of a list, up to `most` rows. @throws RequestError */
export async function getAll<T>(path: string, key: string, most = 1_000): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null && all.length < most;) {
    const query = new URLSearchParams({ limit: '50', ...(cursor && { cursor }) });
    const page: Record<string, unknown> = await get(`${path}?${query}`);
    all.push(...(page[key] as T[]));
    cursor = page.nextCursor as string | null;
  }
  return all;
}
