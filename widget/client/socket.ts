import { Manager, type ManagerOptions, type Socket } from 'socket.io-client';
import { FIRST_DELAY_MS, LAST_DELAY_MS } from '../../headless/backoff.js';
import { REQUEST_TIMEOUT_MS, RequestError } from '../../headless/errors.js';

/** What Socket.IO takes: `polling` in the whole library, and its class in the widget, which loads it when it's needed. */
export type SocketTransport = NonNullable<ManagerOptions['transports']>[number];

/** Opens a socket that reconnects on its own. Every connect carries the token of that moment. */
export function openSocket(url: string, getToken: () => string, transport: SocketTransport): Socket {
  const manager = new Manager(url, {
    path: new URL(url).pathname.replace(/\/?$/, '/socket.io/'),
    transports: [transport] as ManagerOptions['transports'],
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
