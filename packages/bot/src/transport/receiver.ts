import type { Dispatcher } from '../turns/dispatcher.js';
import type { Log } from '../options.js';
import type { Timer } from '../lib/timer.js';
import { concat, type Keys, toKeys, verify, WebhookError, type WebhookHeaders } from './verify.js';
import type { EventType, ParleyEvent } from '../wire.js';

export interface WebhookOptions {
  /** The webhook's secret, `whsec_…`; several while it changes. */
  secret: string | readonly string[];
  /**
   * `afterHandler` (default): Parley keeps the event until its handler has ended. `atOnce`: before the handler, for one that
   * always takes long; an event is lost when the process dies meanwhile.
   */
  answer?: 'afterHandler' | 'atOnce';
}

/** What a request is answered. */
export interface Outcome {
  status: number;
  /** What still runs, and needs the process. */
  rest?: Promise<unknown>;
}

/** The most bytes of a body that are read; the largest event is far below. */
const MAX_BODY_BYTES = 262_144;
/** Milliseconds after which Parley is told to come again: an attempt has 15 s. The handler goes on, and the next attempt waits for it. */
const PATIENCE = 12_000;
/** Milliseconds before the same reason to refuse a request is logged again. */
const QUIET = 60_000;

/** Answers Parley's attempts: 2xx for what is done, 401 for what is not Parley's, 503 for what must come again. */
export class Receiver {
  private readonly keys: Keys;
  private readonly answer: 'afterHandler' | 'atOnce';
  private quietUntil = 0;

  /** @throws TypeError without a secret */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly log: Log,
    { secret, answer = 'afterHandler' }: WebhookOptions,
  ) {
    this.keys = toKeys(secret);
    this.answer = answer;
  }

  /** @param chunks the body; read only when it is worth it */
  async receive(
    method: string | undefined,
    headers: WebhookHeaders,
    chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<Outcome> {
    if (method !== 'POST') return { status: 405 };
    try {
      const body = await read(chunks());
      if (body === null) return { status: 413 };
      return await this.take(await verify(body, headers, await this.keys));
    } catch (error) {
      if (error instanceof WebhookError) return this.refuse(error);
      this.log(`webhook: ${(error as Error).message}`, { level: 'error', error });
      return { status: 503 };
    }
  }

  private async take(event: ParleyEvent<EventType>): Promise<Outcome> {
    // A ping has no chat.
    if ((event.data as { chat?: unknown }).chat === undefined) return { status: 204 };
    const handled = this.dispatcher.take(event).then(() => ({ status: 204 }));
    const rest = handled.catch(() => undefined);
    if (this.answer === 'atOnce') return { status: 202, rest };
    let timer: Timer | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve({ status: 503, rest }), PATIENCE);
    });
    return Promise.race([handled, late]).finally(() => clearTimeout(timer));
  }

  /** Strangers may send what they like, so one line a minute is enough. */
  private refuse(error: WebhookError): Outcome {
    if (Date.now() >= this.quietUntil) {
      this.quietUntil = Date.now() + QUIET;
      this.log(`webhook: a request was answered 401: ${error.message}`, { level: 'warn', error });
    }
    return { status: 401 };
  }
}

/** The headers of an answer. */
export function headersOf(status: number): Record<string, string> {
  if (status === 413) return { Connection: 'close' };
  return status === 503 ? { 'Retry-After': '5' } : {};
}

/** Null when it is too long. */
async function read(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    parts.push(chunk);
  }
  return concat(parts);
}
