// Express and Socket.IO without a database: the least that the way from a post to a socket costs. It keeps a chat's messages in memory
// and answers `chat:open` from there. run.mjs starts it as a separate process.
import express from 'express';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const { HOST, PORT } = process.env;
const chats = new Map();

const app = express().disable('x-powered-by').set('etag', false);
const server = createServer(app);
const sockets = new Server(server, { serveClient: false });
sockets.on('connection', (socket) => {
  socket.on('chat:open', async ({ chatId, afterSeq = 0 }, acknowledge) => {
    await socket.join(chatId);
    const messages = messagesOf(chatId);
    acknowledge({ ok: true, messages: messages.slice(afterSeq), latestSeq: messages.length, hasMore: false });
  });
});

app.get('/health/ready', (_request, response) => response.json({ status: 'ok' }));
app.post('/api/bot/messages', express.json(), (request, response) => {
  const { chatId, content, type = 'TEXT', metadata = {} } = request.body;
  const messages = messagesOf(chatId);
  const sender = { type: 'BOT', id: 'bot', name: 'Bot' };
  const createdAt = new Date();
  const message = { id: randomUUID(), chatId, seq: messages.length + 1, type, content, metadata, sender, createdAt };
  messages.push(message);
  sockets.to(chatId).emit('message', message);
  response.json({ id: message.id, status: 'sent' });
});
server.listen(Number(PORT), HOST);

function messagesOf(chatId) {
  const found = chats.get(chatId) ?? [];
  if (found.length === 0) chats.set(chatId, found);
  return found;
}
