// What a careful developer would write by hand for the same task. run.mjs starts it as a separate process.
import express from 'express';
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { Server } from 'socket.io';

const { DATABASE_URL, HOST, PORT } = process.env;
const POOL_SIZE = 20;
const TYPES = new Set(['TEXT', 'IMAGE', 'BUTTON', 'QUICK_REPLY']);
const MAX_METADATA_BYTES = 10_240;

const FIND_BOT = `
  SELECT b.organization_id, b.id, b.name FROM access_tokens t JOIN bots b ON b.id = t.bot_id
  WHERE t.token_hash = $1 AND (t.expires_at IS NULL OR t.expires_at > now())`;

const FIND_CHAT_OF_VISITOR = 'SELECT chat_id FROM visitor_tokens WHERE token_hash = $1';

const COUNT_MESSAGE = `
  UPDATE chats SET
    message_count = message_count + 1, last_message_at = now(), first_response_at = COALESCE(first_response_at, now())
  WHERE id = $1 AND organization_id = $2
  RETURNING message_count, last_message_at`;

const INSERT_MESSAGE = `
  INSERT INTO messages (chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'BOT', $7, $8, $9)`;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE, keepAlive: true });

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const app = express().disable('x-powered-by').set('etag', false);
const server = createServer(app);
const sockets = new Server(server, { serveClient: false });
sockets.use(async (socket, next) => {
  const values = [hashOf(String(socket.handshake.auth.token))];
  const found = await pool.query({ name: 'find-chat-of-visitor', text: FIND_CHAT_OF_VISITOR, values });
  socket.data.chatId = found.rows[0]?.chat_id;
  next(socket.data.chatId ? undefined : new Error('unauthorized'));
});
sockets.on('connection', (socket) => socket.join(socket.data.chatId));

app.get('/health/ready', async (_request, response) => {
  await pool.query('SELECT 1');
  response.json({ status: 'ok' });
});
app.post('/api/bot/messages', express.json(), async (request, response) => {
  const bot = await authenticate(request.headers.authorization);
  const message = validate(request.body);
  const stored = await transaction((client) => append(client, bot, message));
  sockets.to(stored.chatId).emit('message', stored);
  response.json({ id: stored.id, status: 'sent' });
});
app.use((error, _request, response, _next) => {
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ status, detail: status < 500 ? error.message : 'Internal error' });
});
server.listen(Number(PORT), HOST);

async function authenticate(header) {
  const token = header?.startsWith('Bearer ') ? header.slice(7) : '';
  const { rows } = await pool.query({ name: 'find-bot', text: FIND_BOT, values: [hashOf(token)] });
  if (!rows[0]) throw new Refusal(401, 'A valid bearer token is required');
  return rows[0];
}

function hashOf(token) {
  return createHash('sha256').update(token).digest();
}

function validate(body) {
  const { chatId, content, type = 'TEXT', metadata = null } = body ?? {};
  if (!isText(chatId, 64)) throw new Refusal(400, 'chatId must be a text of 1 to 64 characters');
  if (!isText(content, 5000)) throw new Refusal(400, 'content must be a text of 1 to 5000 characters');
  if (!TYPES.has(type)) throw new Refusal(400, 'type is unknown');
  return { chatId, content, type, metadata, metadataText: metadata && checkMetadata(metadata) };
}

function isText(value, maxLength) {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength;
}

function checkMetadata(metadata) {
  const text = JSON.stringify(metadata);
  const isFine = text.startsWith('{') && Buffer.byteLength(text) <= MAX_METADATA_BYTES;
  if (!isFine) throw new Refusal(400, `metadata must be an object of at most ${MAX_METADATA_BYTES} bytes`);
  return text;
}

/** Returns the message as visitors see it. */
async function append(client, bot, { chatId, content, type, metadata, metadataText }) {
  const counting = { name: 'count-message', text: COUNT_MESSAGE, values: [chatId, bot.organization_id] };
  const { rows } = await client.query(counting);
  if (!rows[0]) throw new Refusal(404, 'There is no such chat');
  const [id, { message_count: seq, last_message_at: createdAt }] = [randomUUID(), rows[0]];
  const values = [chatId, seq, id, type, content, metadataText, bot.id, bot.name, createdAt];
  await client.query({ name: 'insert-message', text: INSERT_MESSAGE, values });
  const sender = { type: 'BOT', id: bot.id, name: bot.name };
  return { id, chatId, seq, type, content, metadata: metadata ?? {}, sender, createdAt };
}

async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
