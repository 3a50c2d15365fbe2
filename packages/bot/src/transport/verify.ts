import type { EventType, ParleyEvent } from '../wire.js';

/** How many seconds a signature may be in the past or future. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const encoder = new TextEncoder();

/** A request's headers, in fetch's or Node's form. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

/** Parley didn't sign this request, or not recently. Respond with 401. The message has the reason, for the bot's own log. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** The imported keys of a webhook's secrets. */
export type Keys = Promise<CryptoKey[]>;
type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Verifies a webhook request (Standard Webhooks 1.0) with Web Crypto, and returns its event.
 * @param body the received bytes, not parsed
 * @param secret the webhook's secret, `whsec_…`, or several during a rotation
 * @throws WebhookError if Parley didn't sign these bytes in the last 300 s; TypeError without a secret
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<ParleyEvent<EventType>> {
  return verify(toBytes(body), headers, await toKeys(secret));
}

/** @throws TypeError without a secret, synchronously */
export function toKeys(secret: string | readonly string[]): Keys {
  const secrets = [secret].flat().map(toBits);
  return Promise.all(
    secrets.map((bits) => crypto.subtle.importKey('raw', bits, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])),
  );
}

/** @throws WebhookError */
export async function verify(
  body: Uint8Array,
  headers: WebhookHeaders,
  keys: readonly CryptoKey[],
): Promise<ParleyEvent<EventType>> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    valueOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('the request has no signature: it is not from Parley');
  checkAge(Date.now() / 1000 - Number(timestamp));
  const signed = concat([encoder.encode(`${id}.${timestamp}.`), body]);
  // Computes one signature per secret, however many the request has.
  const wanted = await Promise.all(keys.map((key) => sign(key, signed)));
  if (signatures.split(' ').some((given) => wanted.some((one) => isEqual(given, one))))
    return traced(parse(body), valueOf(headers, 'traceparent'));
  throw new WebhookError('no signature fits: is the secret the one of this webhook?');
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, place);
    place += chunk.length;
  }
  return bytes;
}

async function sign(key: CryptoKey, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bits = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return `v1,${btoa(String.fromCharCode(...bits))}`;
}

// Takes the same time for all texts of one length, so that the time doesn't reveal the expected signature.
function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

function checkAge(seconds: number): void {
  if (Math.abs(seconds) <= TOLERANCE_SECONDS) return;
  if (Number.isNaN(seconds)) throw new WebhookError('the time of the signature is no number');
  const age = `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'old' : 'ahead'}`;
  throw new WebhookError(`the signature is ${age}: is the clock of this machine right?`);
}

function valueOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

function toBits(secret: string): Uint8Array<ArrayBuffer> {
  const bits = typeof secret === 'string' ? fromBase64(secret.replace(PREFIX, '')) : null;
  if (!bits || bits.length === 0) throw new TypeError('secret is missing: it is the whsec_… of the webhook');
  return bits;
}

/** Null if it isn't base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function toBytes(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

function parse(body: Uint8Array): ParleyEvent<EventType> {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as ParleyEvent<EventType>;
  } catch {
    throw new WebhookError('the body is no JSON');
  }
}

function traced(event: ParleyEvent<EventType>, traceparent: string | undefined): ParleyEvent<EventType> {
  return traceparent === undefined ? event : { ...event, traceparent };
}
