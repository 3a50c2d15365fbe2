import type { Readable } from 'node:stream';
import { BOT_TOKEN, type Connection } from './connection.js';
import { CliError, EXIT } from './errors.js';

/** The timeout of a request, in milliseconds. The longest request is a ping, which waits 15 s for a receiver. */
const TIMEOUT_MS = 30_000;

interface Problem {
  status: number;
  detail: string;
  requestId?: string;
}

interface RequestOptions {
  body?: object;
  /** Error statuses that don't throw. */
  expected?: number[];
  /** Null: no timeout. */
  signal?: AbortSignal | null;
  accept?: string;
}

export interface PageOptions {
  /** The most items; undefined: all. */
  limit?: number;
  cursor?: string;
}

export type Item = Record<string, unknown>;

/** The most items of a page (CONTRACT: Conventions). */
const MAX_PAGE_SIZE = 50;

const ACCEPTED = 202;
const NOT_FOUND = 404;

/** A client of the admin API. Every error is a one-line CliError. */
export class Service {
  /** @param root the path that all paths begin with */
  constructor(
    readonly connection: Connection,
    private readonly root = '/api/admin/organizations',
  ) {}

  get<T = Item>(path: string): Promise<T> {
    return this.send('GET', path) as Promise<T>;
  }

  post<T = Item>(path: string, body: object = {}, timeoutMs = TIMEOUT_MS): Promise<T> {
    return this.send('POST', path, body, timeoutMs) as Promise<T>;
  }

  /** Posts to a path below `/api/admin` that's about all organizations. */
  postToInstallation<T = Item>(path: string): Promise<T> {
    return this.send('POST', `/..${path}`, {}) as Promise<T>;
  }

  /** Gets a path below `/api/admin` that's about all organizations. */
  getOfInstallation<T = Item>(path: string): Promise<T> {
    return this.get(`/..${path}`);
  }

  put<T = Item>(path: string, body: object): Promise<T> {
    return this.send('PUT', path, body) as Promise<T>;
  }

  /** Posts, and reads the events of the answer while they come. */
  async *events(path: string, body: object, timeoutMs: number): AsyncGenerator<{ type: string; data: Item }> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await this.request('POST', path, { body, signal, accept: 'text/event-stream' });
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const bytes of response.body ?? []) {
        const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
        rest = frames.pop()!;
        for (const frame of frames) {
          const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
          if (type !== undefined) yield { type, data: JSON.parse(data!) as Item };
        }
      }
    } catch (error) {
      throwUnreachable(this.connection.url, error);
    }
  }

  patch<T = Item>(path: string, body: object): Promise<T> {
    return this.send('PATCH', path, body) as Promise<T>;
  }

  /**
   * Repeats the request while the service continues in the background (202). In the end, the item may no longer exist (404).
   */
  async delete(path: string): Promise<void> {
    let { status } = await this.request('DELETE', path);
    while (status === ACCEPTED) ({ status } = await this.request('DELETE', path, { expected: [NOT_FOUND] }));
  }

  /** Posts the same again while the service continues in the background (202), and returns the last body. In the end, the item may no longer exist (404). */
  async repeat(path: string, body: object): Promise<Item> {
    let response = await this.request('POST', path, { body });
    let answer = parse(await this.textOf(response)) as Item;
    while (response.status === ACCEPTED) {
      response = await this.request('POST', path, { body, expected: [NOT_FOUND] });
      if (response.ok) answer = parse(await this.textOf(response)) as Item;
    }
    return answer;
  }

  /** Streams the text of a response, without a timeout. */
  async *download(path: string): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const bytes of this.downloadBytes(path)) yield decoder.decode(bytes, { stream: true });
  }

  /** Streams the bytes of a response, without a timeout. */
  async *downloadBytes(path: string): AsyncGenerator<Uint8Array> {
    const { body } = await this.request('GET', path, { signal: null });
    try {
      yield* body ?? [];
    } catch (error) {
      throwUnreachable(this.connection.url, error);
    }
  }

  /** Sends bytes to an address of the service or its store, without a token and a timeout. */
  async upload(url: string, headers: Record<string, string>, body: Readable, size: number): Promise<void> {
    const length = { 'Content-Length': String(size) };
    // A stream's request needs it, and the types don't know it.
    const options = { method: 'PUT', headers: { ...headers, ...length }, body, redirect: 'manual', duplex: 'half' };
    const response = await fetch(url, options as unknown as RequestInit).catch((error: unknown) =>
      throwUnreachable(new URL(url).origin, error),
    );
    if (response.ok) return;
    const problem = parse(await this.textOf(response)) as Problem | null;
    const detail = problem?.detail ?? 'the store refused them';
    throw new CliError(EXIT.failed, `the bytes were not sent: ${detail} (${response.status})`, problem ?? undefined);
  }

  /** Reads all pages, up to the limit, and returns the items as one page. */
  async list(path: string, key: string, filter: object, { limit = Infinity, cursor }: PageOptions): Promise<Item> {
    const items: Item[] = [];
    let next: string | null | undefined = cursor;
    do {
      const query = queryOf({ ...filter, limit: Math.min(MAX_PAGE_SIZE, limit - items.length) });
      if (next) query.set('cursor', next);
      const page = await this.get(`${path}?${query.toString()}`);
      if (!Array.isArray(page[key])) throw this.notParley('answered without a list');
      items.push(...(page[key] as Item[]));
      next = page.nextCursor as string | null;
    } while (next && items.length < limit);
    return { [key]: items, nextCursor: next };
  }

  private async send(method: string, path: string, body?: object, timeoutMs = TIMEOUT_MS): Promise<unknown> {
    const response = await this.request(method, path, { body, signal: AbortSignal.timeout(timeoutMs) });
    const answer = parse(await this.textOf(response));
    if (answer) return answer;
    throw this.refusal(response, null);
  }

  private async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { url, token } = this.connection;
    const { body, expected = [], signal = AbortSignal.timeout(TIMEOUT_MS), accept } = options;
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(accept && { Accept: accept }),
    };
    const response = await fetch(`${url}${this.root}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => throwUnreachable(url, error));
    if (response.ok || expected.includes(response.status)) return response;
    throw this.refusal(response, parse(await this.textOf(response)) as Problem | null);
  }

  private textOf(response: Response): Promise<string> {
    return response.text().catch((error: unknown) => throwUnreachable(this.connection.url, error));
  }

  private refusal({ status, headers }: Response, problem: Problem | null): CliError {
    if (!problem?.detail) {
      const to = headers.get('location');
      const where = status >= 300 && status < 400 && to ? `leads on to ${to}: use that address` : `answered ${status}`;
      return this.notParley(where);
    }
    const { url, tokenSource } = this.connection;
    const { detail, requestId } = problem;
    if (status === 401) {
      return new CliError(
        EXIT.failed,
        `the service at ${url} does not know the ${tokenSource === BOT_TOKEN ? '' : 'admin '}token of ${tokenSource}`,
        problem,
      );
    }
    return new CliError(EXIT.failed, status < 500 ? detail : `${detail} (${status}, request ${requestId})`, problem);
  }

  private notParley(did: string): CliError {
    return new CliError(EXIT.unreachable, `what is at ${this.connection.url} is not Parley: it ${did}`);
  }
}

/** A query. The values of a list are repeated. */
function queryOf(given: Item): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) for (const one of [value].flat()) query.append(name, String(one));
  return query;
}

function throwUnreachable(url: string, error: unknown): never {
  const hint = 'is it running there? --url, PARLEY_URL and PUBLIC_URL name another address';
  throw new CliError(EXIT.unreachable, `the service at ${url} cannot be reached: ${reasonOf(error)} (${hint})`);
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** A short reason why a request got no response. */
export function reasonOf(error: unknown): string {
  const { name, message, cause, code, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if (name === 'TimeoutError') return 'no answer in time';
  if (cause) return reasonOf(cause);
  if (errors?.[0]) return reasonOf(errors[0]);
  return REASONS[code ?? ''] ?? (message || code || 'no answer');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
