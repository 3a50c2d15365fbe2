import type { Conversation, OpenConnection } from '../model/conversation.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { sign, keyOf } from '../../webhooks/webhook-secrets.js';

/** The most bytes of a request. Beyond it, the oldest history is left out. */
const MAX_REQUEST_BYTES = 1024 * 1024;

/** The address of a connection, with a path appended, and with its query. */
export function addressOf({ url, secrets }: OpenConnection, path = ''): string {
  const base = path !== '' && url.endsWith('/') ? url.slice(0, -1) : url;
  return `${base}${path}${secrets.query}`;
}

/** A request of a run, with a JSON body. */
export function runRequest(
  connection: OpenConnection,
  { turnId, step, runId }: Pick<Conversation, 'turnId' | 'step' | 'runId'>,
  { path, body, accept = 'text/event-stream' }: { path?: string; body: string; accept?: string },
): EndpointRequest {
  return {
    url: addressOf(connection, path),
    headers: {
      ...jsonHeaders(connection),
      accept,
      'idempotency-key': `${turnId}.${step}`,
      ...signatureOf(connection, runId, body),
    },
    body,
  };
}

/** The headers of each request to a connection. */
export function jsonHeaders({ secrets }: OpenConnection): Record<string, string> {
  return {
    ...secrets.headers,
    'content-type': 'application/json',
    'user-agent': 'Parley',
    ...(secrets.key !== null && { authorization: `Bearer ${secrets.key}` }),
  };
}

/** The body with as much of the history as a request may have. @param make the body without the first parts of the history */
export function bodyWithin(parts: number, make: (first: number) => unknown): string {
  for (let first = 0; ; first += Math.max(1, Math.ceil((parts - first) / 4))) {
    const body = JSON.stringify(make(Math.min(first, parts)));
    if (Buffer.byteLength(body) <= MAX_REQUEST_BYTES || first >= parts) return body;
  }
}

// By Standard Webhooks 1.0. For a day after a rotation, both secrets sign.
function signatureOf({ secrets: { signing } }: OpenConnection, id: string, body: string): Record<string, string> {
  if (!signing) return {};
  const { secret, previous } = signing;
  const now = Date.now();
  const secrets = previous && Date.parse(previous.until) > now ? [secret, previous.secret] : [secret];
  const timestamp = Math.floor(now / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets.map(keyOf), id, timestamp, body),
  };
}
