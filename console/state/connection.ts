import { signal } from '@preact/signals';
import { Manager, type Socket } from 'socket.io-client';
import { REQUEST_TIMEOUT_MS, RequestError } from '../../headless/errors.js';
import { basePath } from '../lib/service.js';

/** The maximum delay between two attempts to connect. */
const MAX_DELAY_MS = 3_000;
/** How long a socket has to respond to a probe after sleep or a lost network. */
const PROBE_TIMEOUT_MS = 2_000;
const CHECK_EVERY_MS = 2_000;
/** A timer that is this late means that the machine slept. */
const SLEPT_MS = 8_000;

/** Whether the socket is connected. */
export const isConnected = signal(false);

let socket: Socket | null = null;
let isProbing = false;
let checkedAt = 0;
let checkTimer: ReturnType<typeof setInterval> | undefined;

interface Listeners {
  /** Called after each connect. */
  onConnect(): void;
  /** The session is no longer valid. */
  onRefused(): void;
  onEvent(event: string, payload: Record<string, unknown>): void;
}

/** Opens the one socket of this page, which reconnects until `disconnect`. */
export function connect({ onConnect, onRefused, onEvent }: Listeners): void {
  disconnect();
  const manager = new Manager(location.origin, {
    path: `${basePath}/socket.io/`,
    transports: ['websocket'],
    timeout: REQUEST_TIMEOUT_MS,
    reconnectionDelay: 300,
    reconnectionDelayMax: MAX_DELAY_MS,
    randomizationFactor: 0.5,
  });
  const opened = manager.socket('/agent');
  socket = opened;
  opened.on('connect', () => {
    isConnected.value = true;
    onConnect();
  });
  opened.on('disconnect', () => {
    isConnected.value = false;
    // The library does not reconnect on its own after the service has closed the connection.
    if (!opened.active) setTimeout(() => socket === opened && opened.connect(), 500);
  });
  opened.on('connect_error', (error: Error & { data?: { code: string } }) => {
    if (error.data?.code === 'unauthorized') onRefused();
    else if (!opened.active) setTimeout(() => socket === opened && opened.connect(), MAX_DELAY_MS);
  });
  opened.onAny((event: string, payload: Record<string, unknown>) => onEvent(event, payload));
  addEventListener('online', probe);
  document.addEventListener('visibilitychange', probe);
  checkedAt = Date.now();
  checkTimer = setInterval(findSleep, CHECK_EVERY_MS);
}

export function disconnect(): void {
  removeEventListener('online', probe);
  document.removeEventListener('visibilitychange', probe);
  clearInterval(checkTimer);
  socket?.disconnect();
  socket = null;
  isConnected.value = false;
}

/** Sends a request over the socket. @throws RequestError */
export async function ask<T>(event: string, payload: object, timeout = REQUEST_TIMEOUT_MS): Promise<T> {
  if (!socket?.connected) throw new RequestError('unreachable', 'The socket is not connected');
  const answer = (await socket
    .timeout(timeout)
    .emitWithAck(event, payload)
    .catch((error: unknown) => {
      throw new RequestError('unreachable', String((error as Error).message));
    })) as { ok: boolean; error?: { code: string; detail: string } };
  if (answer.ok) return answer as T;
  throw new RequestError(answer.error?.code ?? 'internal_error', answer.error?.detail ?? '');
}

function findSleep(): void {
  const late = Date.now() - checkedAt - CHECK_EVERY_MS;
  checkedAt = Date.now();
  if (late > SLEPT_MS) probe();
}

/** Connects immediately. If the socket seems connected, it's probed, and replaced when it doesn't respond. */
function probe(): void {
  if (document.visibilityState !== 'visible' || !navigator.onLine || !socket || isProbing) return;
  if (!socket.connected) return void socket.disconnect().connect();
  isProbing = true;
  const probed = socket;
  ask('chat:unfollow', { chatId: 'none' }, PROBE_TIMEOUT_MS)
    .catch((error: unknown) => {
      const isDead = error instanceof RequestError && error.code === 'unreachable';
      if (isDead && socket === probed) probed.disconnect().connect();
    })
    .finally(() => (isProbing = false));
}
