// A bot that lives on webhooks: Parley posts events to /hook, the bot answers visitors over the REST API.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { PARLEY_URL = 'http://127.0.0.1:3000', PARLEY_TOKEN, WEBHOOK_SECRET } = process.env;
const { HOST = '127.0.0.1', PORT = '8080' } = process.env;
if (!PARLEY_TOKEN || !WEBHOOK_SECRET) {
  console.error('Set PARLEY_TOKEN and WEBHOOK_SECRET; README.md tells where they come from');
  process.exit(1);
}

/** Bytes of a request that are read at most; the largest event is far below. */
const MAX_BODY_BYTES = 262_144;
/** Milliseconds that Parley may take to answer: well within the 15 s that it gives us. */
const PATIENCE = 10_000;
/** How many handled events are remembered. It only saves requests: the Idempotency-Key is what holds. */
const MAX_REMEMBERED = 10_000;

const OPTIONS = [
  { label: 'Talk to a person', value: 'human' },
  { label: 'Thanks', value: 'thanks' },
];

const HEADERS = { Authorization: `Bearer ${PARLEY_TOKEN}`, 'Content-Type': 'application/json' };
const webhook = new Webhook(WEBHOOK_SECRET);
const handled = new Set();

/** What to ask of Parley because of an event; null when there is nothing to do. */
function decide({ type, data }) {
  if (type !== 'message.created' || data.message.sender.type !== 'VISITOR') return null;
  const { message, chat } = data;
  if (chat.owner !== 'BOT') return null; // people have it
  if (/\b(?:agent|human|person)\b/i.test(message.content)) {
    const body = { chatId: chat.id, reason: 'The visitor asked for a person', ifOwner: 'BOT' };
    return { path: '/api/bot/transfer', body };
  }
  const content = [...`You said: ${message.content}`].slice(0, 5_000).join('');
  // A person may have taken the chat since: then this is refused, and nothing is said.
  const body = { chatId: chat.id, type: 'QUICK_REPLY', content, metadata: { options: OPTIONS }, ifOwner: 'BOT' };
  return { path: '/api/bot/messages', body };
}

/** The status to answer a request with: 2xx only when the event can be forgotten, anything else brings it back. */
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

/** Does what an event asks for; its id is the key, so it has its effect once. False when it must come again. */
async function act(eventId, { path, body }) {
  const headers = { ...HEADERS, 'Idempotency-Key': eventId };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE) };
  const response = await fetch(new URL(path, PARLEY_URL), request);
  const { code = 'done' } = await response.json();
  console.log(`${eventId} ${path} ${response.status} ${response.headers.has('Idempotent-Replayed') ? 'again' : code}`);
  // Any other 4xx (a closed chat is 409) would be the same the next time. A wrong token is mended by whoever runs us.
  return response.ok || (response.status < 500 && response.status !== 401 && response.status !== 429);
}

/** The event, null when it is not Parley's. The signature is over the bytes that came, so they are parsed after it. */
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
