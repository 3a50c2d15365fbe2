import { signal } from '@preact/signals';
import { Manager, type Socket } from 'socket.io-client';
import { REQUEST_TIMEOUT, RequestError } from '../../headless/errors.js';

/** The most time between two attempts to connect, in milliseconds: the page is to be right again soon. */
const LONGEST_DELAY = 3_000;
/** A page that slept, or was without a network, gives the socket this long to prove that it lives, in milliseconds. */
const PROOF_TIMEOUT = 2_000;
const CHECK_EVERY = 2_000;
/** Timers that are this late, in milliseconds, say that the machine slept. */
const SLEPT = 8_000;

/** Whether the socket is connected. */
export const isConnected = signal(false);

let socket: Socket | null = null;
let isProving = false;
let checkedAt = 0;
let checkTimer: ReturnType<typeof setInterval> | undefined;

interface Listeners {
  /** Called after each connect. */
  onConnect(): void;
  /** The session is not valid any more. */
  onRefused(): void;
  /** An event that the service sends on its own. */
  onEvent(event: string, payload: Record<string, unknown>): void;
}

/** Opens the one socket of this page, which reconnects until `disconnect`. */
export function connect({ onConnect, onRefused, onEvent }: Listeners): void {
  disconnect();
  const manager = new Manager(location.origin, {
    transports: ['websocket'],
    timeout: REQUEST_TIMEOUT,
    reconnectionDelay: 300,
    reconnectionDelayMax: LONGEST_DELAY,
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
    else if (!opened.active) setTimeout(() => socket === opened && opened.connect(), LONGEST_DELAY);
  });
  opened.onAny((event: string, payload: Record<string, unknown>) => onEvent(event, payload));
  addEventListener('online', prove);
  document.addEventListener('visibilitychange', prove);
  checkedAt = Date.now();
  checkTimer = setInterval(findSleep, CHECK_EVERY);
}

export function disconnect(): void {
  removeEventListener('online', prove);
  document.removeEventListener('visibilitychange', prove);
  clearInterval(checkTimer);
  socket?.disconnect();
  socket = null;
  isConnected.value = false;
}

/** Sends a request over the socket. @throws RequestError */
export async function ask<T>(event: string, payload: object, timeout = REQUEST_TIMEOUT): Promise<T> {
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
  const late = Date.now() - checkedAt - CHECK_EVERY;
  checkedAt = Date.now();
  if (late > SLEPT) prove();
}

/** Connects at once, or asks a socket that may be dead for a sign of life, and replaces it when there is none. */
function prove(): void {
  if (document.visibilityState !== 'visible' || !navigator.onLine || !socket || isProving) return;
  if (!socket.connected) return void socket.disconnect().connect();
  isProving = true;
  const proven = socket;
  ask('chat:unfollow', { chatId: 'none' }, PROOF_TIMEOUT)
    .catch((error: unknown) => {
      const isDead = error instanceof RequestError && error.code === 'unreachable';
      if (isDead && socket === proven) proven.disconnect().connect();
    })
    .finally(() => (isProving = false));
}
