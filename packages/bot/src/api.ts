import { setTimeout as sleep } from 'node:timers/promises';
import { ParleyError } from './errors.js';
import { withTimeLimit } from './time-limit.js';

/** Milliseconds before the first repetition of a request; each further one waits twice as long, up to the last. */
const FIRST_PAUSE = 500;
const LAST_PAUSE = 30_000;
/** The longest `Retry-After` that is followed, in milliseconds. */
const LONGEST_PAUSE = 300_000;
/** Milliseconds that an answer may take, beside the time for which the service is asked to wait. */
const PATIENCE = 20_000;
const RETRIED = new Set([408, 425, 429]);

export interface Call {
  body?: object;
  /** The `Idempotency-Key`: every repetition carries the same. */
  key?: string;
  /** Seconds for which the service may wait before it answers. */
  wait?: number;
  signal?: AbortSignal;
  /** Asked once, for what is not worth a repetition. */
  isOnce?: boolean;
}

/** An answer, and whether it is the one of an earlier request with the same key. */
export interface Answer<T> {
  body: T;
  isReplayed: boolean;
}

/** Why an attempt is to be repeated, and the milliseconds that the service asks to wait before that. */
interface Again {
  again: number;
  why: string;
}

/** The bot API with one token. Repeats what may go well the next time, as the bot guide says. */
export class Api {
  private readonly base: string;

  constructor(
    url: string,
    private readonly token: string,
    private readonly log: (line: string) => void,
  ) {
    this.base = new URL('api/bot', url.endsWith('/') ? url : `${url}/`).href;
  }

  /** @throws ParleyError when it is refused for good; TypeError for a body that is no JSON; the signal's reason when that ends it */
  async call<T>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LAST_PAUSE)) {
      const outcome = await this.attempt<T>(method, path, call);
      if (!('again' in outcome)) return outcome;
      if (call.isOnce) throw new ParleyError(503, 'unavailable', outcome.why);
      const wait = Math.max(outcome.again, pause * (0.75 + Math.random() / 2));
      this.log(`${method} ${path.split('?')[0]}: ${outcome.why}; again in ${Math.round(wait / 100) / 10} s`);
      await sleep(wait, undefined, { signal: call.signal }).catch(() => call.signal?.throwIfAborted());
    }
  }

  private async attempt<T>(method: string, path: string, call: Call): Promise<Answer<T> | Again> {
    call.signal?.throwIfAborted();
    const request = this.toRequest(method, call);
    const patience = (call.wait ?? 0) * 1000 + PATIENCE;
    try {
      return await withTimeLimit(patience, call.signal, (signal) => this.send<T>(path, { ...request, signal }));
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      call.signal?.throwIfAborted();
      const { cause, message } = error as Error;
      return { again: 0, why: (cause as Error | undefined)?.message || message };
    }
  }

  private async send<T>(path: string, request: RequestInit): Promise<Answer<T> | Again> {
    const response = await fetch(this.base + path, request);
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && (body !== null || response.status === 204)) {
      return { body: body as T, isReplayed: response.headers.has('Idempotent-Replayed') };
    }
    if (response.ok || response.status >= 500 || RETRIED.has(response.status)) {
      return { again: retryAfter(response.headers), why: `answered ${response.status}` };
    }
    throw refusal(response.status, body);
  }

  private toRequest(method: string, { body, key }: Call): RequestInit {
    return {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: body && JSON.stringify(body),
      redirect: 'error',
    };
  }
}

function refusal(status: number, body: unknown): ParleyError {
  const { code = '', detail = `Parley answered ${status}` } = (body ?? {}) as { code?: string; detail?: string };
  return new ParleyError(status, code, detail);
}

/** Milliseconds that the service asks to wait; 0 when it does not say. */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const wait = Number.isNaN(Number(value)) ? Date.parse(value) - Date.now() : Number(value) * 1000;
  return Math.min(Math.max(wait || 0, 0), LONGEST_PAUSE);
}
