import type { Connection } from './connection.js';
import { CliError, EXIT } from './errors.js';

/** Milliseconds an answer may take: the longest is a ping, which waits 15 s for somebody else. */
const PATIENCE = 30_000;

interface Problem {
  status: number;
  detail: string;
  requestId?: string;
}

interface RequestOptions {
  body?: object;
  /** Statuses that are an answer too. */
  expected?: number[];
  /** Null: it may take as long as it takes. */
  signal?: AbortSignal | null;
}

export interface PageOptions {
  /** How many at most; undefined: all. */
  limit?: number;
  cursor?: string;
}

export type Item = Record<string, unknown>;

/** The most that one page has (CONTRACT section 1). */
const PAGE = 50;

const ACCEPTED = 202;
const GONE = 404;

/** The admin API over HTTP. Whatever goes wrong is a CliError of one line. */
export class Service {
  constructor(readonly connection: Connection) {}

  get<T = Item>(path: string): Promise<T> {
    return this.send('GET', path) as Promise<T>;
  }

  post<T = Item>(path: string, body: object = {}): Promise<T> {
    return this.send('POST', path, body) as Promise<T>;
  }

  patch<T = Item>(path: string, body: object): Promise<T> {
    return this.send('PATCH', path, body) as Promise<T>;
  }

  /** Asks again while the service goes on with it (202); then it may be gone (404). */
  async delete(path: string): Promise<void> {
    let { status } = await this.request('DELETE', path);
    while (status === ACCEPTED) ({ status } = await this.request('DELETE', path, { expected: [GONE] }));
  }

  /** The text that is answered, as it comes and as long as it takes. */
  async *download(path: string): AsyncGenerator<string> {
    const { body } = await this.request('GET', path, { signal: null });
    const decoder = new TextDecoder();
    try {
      for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
    } catch (error) {
      unreachable(this.connection.url, error);
    }
  }

  /** Follows the pages to the end, or to the limit, and answers one page that has them all. */
  async list(path: string, key: string, filter: object, { limit = Infinity, cursor }: PageOptions): Promise<Item> {
    const items: Item[] = [];
    let next: string | null | undefined = cursor;
    do {
      const query = new URLSearchParams({ ...filter, limit: String(Math.min(PAGE, limit - items.length)) });
      if (next) query.set('cursor', next);
      const page = await this.get(`${path}?${query.toString()}`);
      if (!Array.isArray(page[key])) throw this.stranger('answered without a list');
      items.push(...(page[key] as Item[]));
      next = page.nextCursor as string | null;
    } while (next && items.length < limit);
    return { [key]: items, nextCursor: next };
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.request(method, path, { body });
    const answer = parse(await this.textOf(response));
    if (answer) return answer;
    throw this.refusal(response, null);
  }

  private async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { url, token } = this.connection;
    const { body, expected = [], signal = AbortSignal.timeout(PATIENCE) } = options;
    const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(`${url}/api/admin/organizations${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => unreachable(url, error));
    if (response.ok || expected.includes(response.status)) return response;
    throw this.refusal(response, parse(await this.textOf(response)) as Problem | null);
  }

  private textOf(response: Response): Promise<string> {
    return response.text().catch((error: unknown) => unreachable(this.connection.url, error));
  }

  private refusal({ status, headers }: Response, problem: Problem | null): CliError {
    if (!problem?.detail) {
      const to = headers.get('location');
      const where = status >= 300 && status < 400 && to ? `leads on to ${to}: use that address` : `answered ${status}`;
      return this.stranger(where);
    }
    const { url, tokenSource } = this.connection;
    const { detail, requestId } = problem;
    if (status === 401) {
      return new CliError(
        EXIT.failed,
        `the service at ${url} does not know the admin token of ${tokenSource}`,
        problem,
      );
    }
    return new CliError(EXIT.failed, status < 500 ? detail : `${detail} (${status}, request ${requestId})`, problem);
  }

  private stranger(did: string): CliError {
    return new CliError(EXIT.unreachable, `what is at ${this.connection.url} is not Parley: it ${did}`);
  }
}

function unreachable(url: string, error: unknown): never {
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

/** Why something did not answer, in a few words. */
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
