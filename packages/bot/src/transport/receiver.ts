import type { Dispatcher } from '../turns/dispatcher.js';
import type { Log } from '../options.js';
import type { Timer } from '../lib/timer.js';
import { concat, type Keys, toKeys, verify, WebhookError, type WebhookHeaders } from './verify.js';
import { toText } from '../errors.js';
import type { EventType, ParleyEvent } from '../wire.js';

export interface WebhookOptions {
  /** The webhook's secret, `whsec_…`, or several during a rotation. */
  secret: string | readonly string[];
  /**
   * When to respond to Parley. `afterHandler` (default): Parley keeps the event until its handler has finished. `atOnce`: before the
   * handler, for handlers that always take long. An event is then lost if the process dies while the handler runs.
   */
  answer?: 'afterHandler' | 'atOnce';
}

/** The response to a request. */
export interface Outcome {
  status: number;
  /** Work that still needs the process. */
  rest?: Promise<unknown>;
}

/** The most bytes of a body that are read. The largest event is far smaller. */
const MAX_BODY_BYTES = 262_144;
/** Milliseconds until the response is 503, because an attempt has 15 s. The handler continues, and the retry waits for it. */
const RESPONSE_TIMEOUT_MS = 12_000;
/** Milliseconds until the same reason for a refusal is logged again. */
const LOG_INTERVAL_MS = 60_000;

/** Handles Parley's attempts: 2xx if the event is done, 401 if the signature is invalid, 503 if Parley must retry. */
export class Receiver {
  private readonly keys: Keys;
  private readonly answer: 'afterHandler' | 'atOnce';
  private quietUntil = 0;

  /** @throws TypeError without a secret */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly log: Log,
    { secret, answer = 'afterHandler' }: WebhookOptions,
    /** Whether only another bot gets the event's chat. */
    private readonly isOfOther: (event: ParleyEvent<EventType>) => Promise<boolean>,
  ) {
    this.keys = toKeys(secret);
    this.answer = answer;
  }

  /** @param chunks the body, which is read only if the headers are valid */
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
      this.log(`webhook: ${toText(error)}`, { level: 'error', error });
      return { status: 503 };
    }
  }

  private async take(event: ParleyEvent<EventType>): Promise<Outcome> {
    // A ping has no chat.
    if ((event.data as { chat?: unknown }).chat === undefined) return { status: 204 };
    const handled = this.handle(event).then(() => ({ status: 204 }));
    const rest = handled.catch(() => undefined);
    if (this.answer === 'atOnce') return { status: 202, rest };
    let timer: Timer | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve({ status: 503, rest }), RESPONSE_TIMEOUT_MS);
    });
    return Promise.race([handled, late]).finally(() => clearTimeout(timer));
  }

  private async handle(event: ParleyEvent<EventType>): Promise<void> {
    if (!(await this.isOfOther(event))) await this.dispatcher.take(event);
  }

  /** Logs at most one line a minute, because anyone can send requests. */
  private refuse(error: WebhookError): Outcome {
    if (Date.now() >= this.quietUntil) {
      this.quietUntil = Date.now() + LOG_INTERVAL_MS;
      this.log(`webhook: a request was answered 401: ${error.message}`, { level: 'warn', error });
    }
    return { status: 401 };
  }
}

/** The headers of a response. */
export function headersOf(status: number): Record<string, string> {
  if (status === 413) return { Connection: 'close' };
  return status === 503 ? { 'Retry-After': '5' } : {};
}

/** Reads a body; null if it's too long. */
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
