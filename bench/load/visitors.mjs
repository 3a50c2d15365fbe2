import { once } from 'node:events';
import pLimit from 'p-limit';
import { io } from 'socket.io-client';

/** How many visitors connect at a time where their number is not what is measured. */
const TOGETHER = 50;

/** A visitor on a WebSocket who listens to a chat. `onMessage` sees what is live, `opened` is what the chat answered. */
export async function connectVisitor(side, { visitorToken, id, afterSeq }, onMessage = () => undefined) {
  const options = { auth: { token: visitorToken }, transports: ['websocket'], forceNew: true, reconnection: false };
  const socket = io(side.url + side.namespace, options).on('message', onMessage);
  await Promise.race([once(socket, 'connect'), failed(socket)]);
  const opened = side.opensChats ? await openChat(socket, { chatId: id, afterSeq }) : null;
  return { socket, opened };
}

/** Connects visitors to a side, some at a time. `onMessage` gets the message and the chat it is for. */
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
