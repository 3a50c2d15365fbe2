import type { StartedUpload } from '../bot-api.js';
import { type FieldError, ParleyError } from '../errors.js';
import type { Body } from '../files/file-input.js';
import type { Log } from '../options.js';
import { ArgumentError, withoutStack } from '../lib/stack.js';
import { withTimeLimit } from '../lib/time-limit.js';
import { sleep } from '../lib/timer.js';

/** The first and longest delay before a retry, in milliseconds. The delay doubles each time. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** The longest `Retry-After` that is honored, in milliseconds. */
const MAX_RETRY_AFTER_MS = 300_000;
/** The timeout of a request in milliseconds, in addition to the requested `wait`. */
const RESPONSE_TIMEOUT_MS = 20_000;
/** The slowest accepted transfer of a file, in bytes per millisecond: 16 kB/s. */
const BYTES_PER_MS = 16;
const RETRIED = new Set([408, 425, 429]);
const ROOT = '/api/bot';

/** The used part of `fetch`. */
export type Fetch = (address: string, request: RequestInit) => Promise<Response>;

export interface Call {
  body?: object;
  /** A body that isn't JSON. */
  bytes?: Body;
  /** Reads the body of a response that isn't JSON. */
  read?: (response: Response) => Promise<unknown>;
  /** The bytes of a file in the request or the response. */
  size?: number;
  /** Milliseconds that the service may need to respond, in addition to the usual ones. */
  patience?: number;
  /** The `Idempotency-Key`, the same for every retry. */
  key?: string;
  /** The trace that the request belongs to (W3C Trace Context). */
  traceparent?: string;
  /** Seconds that the service may wait before it responds. */
  wait?: number;
  signal?: AbortSignal;
  /** Whether the request is never retried. */
  isOnce?: boolean;
}

/** A response, and whether it's from an earlier request with the same key. */
export interface Answer<T> {
  body: T;
  isReplayed: boolean;
}

/** Why an attempt is retried, and the delay in milliseconds that the service asks for. */
interface Again {
  again: number;
  why: string;
}

/** A client of the bot API. Retries requests that may succeed the next time. */
export class Api {
  /** Sends the requests. */
  private fetch: Fetch = (address, request) => fetch(address, request);
  private checked?: string;
  /** Whether Parley has ever responded. Until then, a wrong address is an error and isn't retried. */
  private isKnown = false;

  constructor(
    private readonly url: string | undefined,
    private readonly token: string | undefined,
    private readonly log: Log,
  ) {}

  /** Parley's address, without a trailing slash. @throws TypeError that names a missing or wrong `url` or `token` */
  get origin(): string {
    return (this.checked ??= toOrigin(this.url, this.token));
  }

  /** @throws TypeError that names a missing or wrong `url` or `token` */
  check(): void {
    void this.origin;
  }

  /** Replaces Parley by another service, which needs no address and no token. */
  connectTo(service: Fetch): void {
    this.fetch = service;
    this.checked = 'http://parley.invalid';
  }

  /** @throws ParleyError if it's refused; TypeError if the body isn't JSON; the signal's reason if it aborts */
  async call<T>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    const { origin } = this;
    const request = this.toRequest(method, call);
    const where = `${method} ${origin}${ROOT}${path.split('?')[0]}`;
    return this.repeat(where, call, (signal) => this.send<T>(path, { ...request, signal }, call.read));
  }

  /**
   * Sends the bytes of an upload, without the token. A stream is sent once, because it can't be repeated.
   * @throws ParleyError if they're refused; TypeError if the method isn't PUT; the signal's reason if it aborts
   */
  async put({ id, method, url, headers }: StartedUpload, body: Body, size: number, signal?: AbortSignal) {
    if ((method as string) !== 'PUT') throw new ArgumentError(`Parley wants ${method}, which this SDK doesn't know`);
    const isOnce = body instanceof ReadableStream;
    const length = isOnce && { 'Content-Length': String(size) };
    const request = { method, headers: { ...headers, ...length }, body, redirect: 'manual', duplex: 'half' } as const;
    const address = this.toOwn(id, url);
    await this.repeat('PUT of the bytes', { size, isOnce, signal }, async (signal) => {
      const response = await this.fetch(address, { ...request, signal } as RequestInit);
      const { ok, status } = response;
      await response.body?.cancel();
      if (ok) return { body: null, isReplayed: false };
      if (status >= 500 || RETRIED.has(status)) return again(response);
      throw new ParleyError(status, '', `the store answered ${status} to the bytes`);
    });
  }

  // Parley's public address may be unreachable for the bot, and the bytes of a store go to the store.
  private toOwn(id: string, url: string): string {
    const { pathname, search, searchParams } = new URL(url);
    const path = `/uploads/${id}`;
    return pathname.endsWith(path) && searchParams.has('signature') ? this.origin + path + search : url;
  }

  private async repeat<T>(
    where: string,
    call: Call,
    work: (signal: AbortSignal) => Promise<Answer<T> | Again>,
  ): Promise<Answer<T>> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const outcome = await this.attempt<T>(call, work);
      if (!('again' in outcome)) return outcome;
      if (call.isOnce) throw new ParleyError(503, 'unavailable', outcome.why);
      const wait = Math.max(outcome.again, pause * (0.75 + Math.random() / 2));
      this.log(`${where}: ${outcome.why}; again in ${Math.round(wait / 100) / 10} s`, { level: 'warn' });
      await sleep(wait, call.signal);
    }
  }

  private async attempt<T>(
    { signal, wait = 0, size = 0, patience = 0 }: Call,
    work: (signal: AbortSignal) => Promise<Answer<T> | Again>,
  ): Promise<Answer<T> | Again> {
    signal?.throwIfAborted();
    const limit = wait * 1000 + RESPONSE_TIMEOUT_MS + size / BYTES_PER_MS + patience;
    try {
      return await withTimeLimit(limit, signal, work);
    } catch (error) {
      const { cause, message } = error as Error;
      // If a stream that's being sent fails, its error is the cause of fetch's error.
      for (const one of [error, cause]) if (one instanceof ParleyError || one instanceof ArgumentError) throw one;
      signal?.throwIfAborted();
      return { again: 0, why: (cause as Error | undefined)?.message || message };
    }
  }

  private async send<T>(path: string, request: RequestInit, read?: Call['read']): Promise<Answer<T> | Again> {
    const response = await this.fetch(this.origin + ROOT + path, request);
    const body = response.ok && read ? await read(response) : await response.json().catch(() => null);
    if (response.ok && (body !== null || response.status === 204)) {
      this.isKnown = true;
      return { body: body as T, isReplayed: response.headers.has('Idempotent-Replayed') };
    }
    // Once Parley has responded, a redirect or another page comes from a proxy during maintenance.
    const isPassing = this.isKnown && response.status < 400;
    if (isPassing || response.status >= 500 || RETRIED.has(response.status)) {
      return again(response);
    }
    throw this.refusal(request.method!, path.split('?')[0]!, response, body);
  }

  private toRequest(method: string, { body, bytes, key, traceparent }: Call): RequestInit {
    return {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(traceparent !== undefined && { traceparent }),
      },
      body: bytes ?? (body && JSON.stringify(body)),
      // Cloudflare Workers don't support `error`, and it hides the target of a redirect.
      redirect: 'manual',
    };
  }

  private refusal(method: string, path: string, { status, headers }: Response, body: unknown): ParleyError {
    const { code = '', detail, ...problem } = (body ?? {}) as Problem;
    if (detail === undefined) return this.notParley(method, path, status, headers);
    this.isKnown = true;
    return new ParleyError(status, code, detail, { method, path: ROOT + path, origin: this.origin, ...problem });
  }

  /** The error if the response isn't from Parley. */
  private notParley(method: string, path: string, status: number, headers: Headers): ParleyError {
    const target = headers.get('Location');
    const where = `${method} ${this.origin}${ROOT}${path} answered ${status}`;
    if (target !== null && status < 400) {
      const to = URL.canParse(target, this.origin) ? new URL(target, this.origin).href : target;
      const end = ROOT + path;
      const hint = to.endsWith(end) ? `: set url to ${to.slice(0, -end.length)}` : ': is url the address of Parley?';
      return new ParleyError(status, '', `${where} to ${to}${hint}`);
    }
    const type = headers.get('Content-Type')?.split(';')[0] ?? 'no content';
    return new ParleyError(status, '', `${where} with ${type}, and not as Parley does: is url the address of Parley?`);
  }
}

/**
 * @throws TypeError also for a value that no request can carry: fetch would always fail, with an error that contains the token. Its stack
 *   is short, because the cause is a setting.
 */
function toOrigin(url: unknown, token: unknown): string {
  for (const [name, value] of Object.entries({ url, token }))
    if (typeof value !== 'string' || value === '') throw withoutStack(new TypeError(`${name} is missing`));
  const fault = findAddressFault(url as string) ?? findTokenFault(token as string);
  if (fault !== null) throw withoutStack(new TypeError(fault));
  const { origin, pathname } = new URL(url as string);
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
}

function findAddressFault(url: string): string | null {
  const { protocol, username, password, pathname } = URL.canParse(url) ? new URL(url) : { protocol: '', pathname: '' };
  if (!/^https?:$/.test(protocol) || username || password)
    return 'url must be an http or https address without a user name';
  return /\/api\/bot\/?$/.test(pathname) ? 'url must be the address of Parley itself, without /api/bot' : null;
}

function findTokenFault(token: string): string | null {
  return /^[\x21-\x7e]+$/.test(token) ? null : 'token has a character that no token has, such as a line break';
}

/** The body of an error (RFC 9457). */
interface Problem {
  code?: string;
  detail?: string;
  requestId?: string;
  errors?: FieldError[];
}

function again({ status, headers }: Response): Again {
  return { again: retryAfter(headers), why: `answered ${status}` };
}

/** The service's Retry-After in milliseconds; 0 without one. */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const wait = Number.isNaN(Number(value)) ? Date.parse(value) - Date.now() : Number(value) * 1000;
  return Math.min(Math.max(wait || 0, 0), MAX_RETRY_AFTER_MS);
}
