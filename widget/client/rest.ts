import { request } from './request.js';

/** Sends over REST what would be a request of the socket. @throws RequestError */
export function requestOverRest<T>(
  url: string,
  token: string,
  event: string,
  { chatId, ...payload }: Record<string, unknown>,
): Promise<T> {
  const chats = `${url}/api/visitor/chats`;
  const chat = `${chats}/${encodeURIComponent(String(chatId))}`;
  switch (event) {
    case 'chat:open':
      return request(chats, token, { chatId, ...payload });
    case 'sync':
      return request(`${chat}/messages?${new URLSearchParams(payload as Record<string, string>)}`, token);
    case 'message:send':
      return request(`${chat}/messages`, token, payload);
    default:
      return request(`${chat}/${event.replace('chat:', '')}`, token, payload);
  }
}
