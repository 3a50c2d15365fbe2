import { Manager, type Socket } from 'socket.io-client';
import { FIRST_DELAY_MS, LAST_DELAY_MS } from '../../headless/backoff.js';
import { REQUEST_TIMEOUT_MS, RequestError } from '../../headless/errors.js';

/** Opens a WebSocket that reconnects on its own. Every connect carries the token of that moment. */
export function openSocket(url: string, getToken: () => string): Socket {
  const manager = new Manager(url, {
    path: new URL(url).pathname.replace(/\/?$/, '/socket.io/'),
    transports: ['websocket'],
    timeout: REQUEST_TIMEOUT_MS,
    reconnectionDelay: FIRST_DELAY_MS,
    reconnectionDelayMax: LAST_DELAY_MS,
    randomizationFactor: 0.5,
  });
  return manager.socket('/visitor', { auth: (give: (auth: object) => void) => give({ token: getToken() }) });
}

interface Ack {
  ok: boolean;
  error?: { code: string; detail: string };
}

/** Sends a request over the socket. @throws RequestError */
export async function requestOverSocket<T>(socket: Socket, event: string, payload: object): Promise<T> {
  const answer = (await socket
    .timeout(REQUEST_TIMEOUT_MS)
    .emitWithAck(event, payload)
    .catch((error: unknown) => {
      throw new RequestError('unreachable', String((error as Error).message));
    })) as Ack;
  if (answer.ok) return answer as T;
  throw new RequestError(answer.error?.code ?? 'internal_error', answer.error?.detail ?? '');
}
