import { once } from 'node:events';
import pLimit from 'p-limit';
import { io } from 'socket.io-client';

/** How many visitors connect concurrently during the setup. */
const TOGETHER = 50;

/** Connects a visitor over WebSocket to a chat. `onMessage` gets live messages. `opened` is the acknowledgement of `chat:open`. */
export async function connectVisitor(side, { visitorToken, id, afterSeq }, onMessage = () => undefined) {
  const options = { auth: { token: visitorToken }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(side.url + side.namespace, options).on('message', onMessage);
  await Promise.race([once(socket, 'connect'), failed(socket)]);
  const opened = side.opensChats ? await openChat(socket, { chatId: id, afterSeq }) : null;
  return { socket, opened };
}

/** Connects visitors to a contender, a few at a time. `onMessage` gets the message and its chat. */
export function connectVisitors(side, chats, onMessage) {
  const limit = pLimit(TOGETHER);
  const connect = (chat) => connectVisitor(side, chat, onMessage && ((message) => onMessage(message, chat)));
  return Promise.all(chats.map((chat) => limit(connect, chat)));
}

export function disconnectVisitors(visitors) {
  for (const { socket } of visitors) socket.disconnect();
}

async function openChat(socket, request) {
  const answer = await socket.timeout(60_000).emitWithAck('chat:open', request);
  if (!answer.ok) throw new Error(`chat:open was answered ${answer.error.code}`);
  return answer;
}

async function failed(socket) {
  const [error] = await once(socket, 'connect_error');
  throw new Error(`a visitor could not connect: ${error.message}`);
}
