import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Dispatcher } from './dispatcher.js';
import type { EventType, ParleyEvent } from './wire.js';

export interface WebhookOptions {
  /** The webhook's secret, `whsec_…`; several while it changes. */
  secret: string | readonly string[];
  /**
   * `afterHandler` (default): Parley keeps the event until its handler has ended. `atOnce`: before the handler, for one that
   * always takes long; an event is lost when the process dies meanwhile.
   */
  answer?: 'afterHandler' | 'atOnce';
}

/** The most bytes of a body that are read; the largest event is far below. */
const MAX_BODY_BYTES = 262_144;
/** Seconds that a signature may be old or ahead. */
const TOLERANCE = 300;
/** Milliseconds after which Parley is told to come again: an attempt has 15 s. The handler goes on, and the next attempt waits for it. */
const PATIENCE = 12_000;
const PREFIX = 'whsec_';

/** Answers Parley's attempts: 2xx for what is done, 401 for what is not Parley's, 503 for what must come again. */
export function webhookListener(
  dispatcher: Dispatcher,
  log: (line: string) => void,
  { secret, answer = 'afterHandler' }: WebhookOptions,
): RequestListener {
  const keys = [secret].flat().map(toKey);
  return (request, response) => {
    void receive(request, keys)
      .then((event) => (typeof event === 'number' ? event : take(dispatcher, event, answer)))
      .catch((error: unknown) => {
        log(`webhook: ${(error as Error).message}`);
        return 503;
      })
      .then((status) => end(response, status));
  };
}

function toKey(secret: string): Buffer {
  const key = typeof secret === 'string' ? Buffer.from(secret.replace(PREFIX, ''), 'base64') : Buffer.alloc(0);
  if (key.length === 0) throw new TypeError('secret is missing: it is the whsec_… of the webhook');
  return key;
}

async function take(dispatcher: Dispatcher, event: ParleyEvent<EventType>, answer: string): Promise<number> {
  // A ping has no chat.
  if ((event.data as { chat?: unknown }).chat === undefined) return 204;
  const handled = dispatcher.take(event).then(() => 204);
  if (answer === 'atOnce') {
    handled.catch(() => undefined);
    return 202;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(503), PATIENCE);
  });
  return Promise.race([handled, late]).finally(() => clearTimeout(timer));
}

function end(response: ServerResponse, status: number): void {
  // A time limit of the server may have answered, or Parley has hung up: the attempt comes again.
  if (response.headersSent || response.destroyed) return;
  if (status === 413) response.setHeader('Connection', 'close');
  if (status === 503) response.setHeader('Retry-After', '5');
  response.writeHead(status).end();
}

/** The event of a request, or the status that refuses it. */
async function receive(request: IncomingMessage, keys: Buffer[]): Promise<ParleyEvent<EventType> | number> {
  if (request.method !== 'POST') return 405;
  const body = await read(request);
  if (body === null) return 413;
  if (!isSigned(request.headers, body, keys)) return 401;
  return JSON.parse(body.toString()) as ParleyEvent<EventType>;
}

async function read(request: IncomingMessage & { body?: unknown }): Promise<Buffer | null> {
  // Express may have read it before us: as bytes it is what was signed, as an object it is not.
  if (Buffer.isBuffer(request.body)) return request.body;
  if (request.readableEnded) throw new Error('the body was parsed before: mount webhook() before express.json()');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Whether one of the signatures is ours, over these bytes and lately (Standard Webhooks 1.0). */
function isSigned(headers: IncomingMessage['headers'], body: Buffer, keys: Buffer[]): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE)) return false;
  const wanted = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest());
  return signatures.split(' ').some((signature) => {
    const [version, encoded = ''] = signature.split(',');
    const given = Buffer.from(encoded, 'base64');
    return version === 'v1' && wanted.some((one) => one.length === given.length && timingSafeEqual(one, given));
  });
}
