// A bot on webhooks: Parley posts events to /hook, and the bot answers visitors over the REST API.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { PARLEY_URL = 'http://127.0.0.1:3000', PARLEY_TOKEN, WEBHOOK_SECRET } = process.env;
const { HOST = '127.0.0.1', PORT = '8080' } = process.env;
if (!PARLEY_TOKEN || !WEBHOOK_SECRET) {
  console.error('Set PARLEY_TOKEN and WEBHOOK_SECRET; README.md says where they come from');
  process.exit(1);
}

/** The most bytes that we read of a request; the largest event is far below. */
const MAX_BODY_BYTES = 262_144;
/** How long Parley may take to answer, in ms: well within the 15 s that it gives us. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How many handled events we remember. It only saves requests: the Idempotency-Key prevents double answers. */
const MAX_REMEMBERED = 10_000;

const OPTIONS = [
  { label: 'Talk to a person', value: 'human' },
  { label: 'Thanks', value: 'thanks' },
];

const HEADERS = { Authorization: `Bearer ${PARLEY_TOKEN}`, 'Content-Type': 'application/json' };
const webhook = new Webhook(WEBHOOK_SECRET);
const handled = new Set();

/** The request that answers an event; null when there is nothing to do. */
function decide({ type, data }) {
  if (type !== 'message.created' || data.message.sender.type !== 'VISITOR') return null;
  const { message, chat } = data;
  if (chat.owner !== 'BOT') return null; // people have it
  if (/\b(?:agent|human|person)\b/i.test(message.content)) {
    const body = { chatId: chat.id, reason: 'The visitor asked for a person', ifOwner: 'BOT' };
    return { path: '/api/bot/transfer', body };
  }
  const content = [...`You said: ${message.content}`].slice(0, 5_000).join('');
  // If a person has taken the chat since, Parley rejects this, and nothing is sent.
  const body = { chatId: chat.id, type: 'QUICK_REPLY', content, metadata: { options: OPTIONS }, ifOwner: 'BOT' };
  return { path: '/api/bot/messages', body };
}

/** Returns the status of our answer. After a 2xx, Parley is done with the event. After any other status, it sends the event again. */
async function take(request) {
  if (request.method !== 'POST' || request.url !== '/hook') return 404;
  const bytes = await read(request);
  if (bytes === null) return 413;
  const event = verify(bytes, request.headers);
  if (event === null) return 401;
  if (handled.has(event.id)) {
    console.log(`${event.id} is known`);
    return 200;
  }
  const wanted = decide(event);
  if (wanted && !(await act(event.id, wanted))) return 503;
  remember(event.id);
  return 200;
}

/** Calls the bot API. The event's id is the key, so a repeated event causes one reply. Returns false if Parley should send the event again. */
async function act(eventId, { path, body }) {
  const headers = { ...HEADERS, 'Idempotency-Key': eventId };
  const request = {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
  const response = await fetch(PARLEY_URL.replace(/\/$/, '') + path, request);
  const { code = 'done' } = await response.json();
  console.log(`${eventId} ${path} ${response.status} ${response.headers.has('Idempotent-Replayed') ? 'again' : code}`);
  // After 401, 429, and 5xx, a later attempt can succeed. Any other 4xx, such as 409 for a closed chat, would fail again.
  return response.ok || (response.status < 500 && response.status !== 401 && response.status !== 429);
}

/** The event; null when it is not Parley's. The signature covers the raw bytes, so verify before you parse. */
function verify(bytes, headers) {
  try {
    return webhook.verify(bytes, headers);
  } catch (error) {
    console.error(`refused: ${error.message}`);
    return null;
  }
}

/** The bytes of a request, null when there are too many. */
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function remember(eventId) {
  handled.add(eventId);
  if (handled.size > MAX_REMEMBERED) handled.delete(handled.values().next().value);
}

const server = createServer(async (request, response) => {
  const status = await take(request).catch((error) => {
    console.error(`failed: ${error.cause?.message || error.message}`);
    return 503;
  });
  if (status === 413) response.setHeader('Connection', 'close');
  response.writeHead(status).end();
});
server.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${server.address().port}/hook`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
