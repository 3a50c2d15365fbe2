import { Manager, type Socket } from 'socket.io-client';
import { createValue } from './observable.js';
import { isTransient, request, RequestError, REQUEST_TIMEOUT, toVisitorError } from './request.js';
import type { Session } from './session.js';
import type { Connection } from './types.js';

/** Waits between attempts to connect, in milliseconds, each up to half more or less. */
const FIRST_DELAY = 500;
const LAST_DELAY = 15_000;
/** Attempts at a socket that fail before REST is tried as well. */
const ATTEMPTS_BEFORE_POLLING = 2;
/** Tokens that may be refused one after the other before nothing is tried again. */
const MAX_REFUSED_TOKENS = 3;
/** The time between two polls, in milliseconds, while the page is looked at and while it is not. */
const POLL_SEEN = 3_000;
const POLL_HIDDEN = 15_000;
/** How often a long-lived page looks whether its token must be renewed, in milliseconds. */
const RENEWAL_CHECK = 12 * 60 * 60 * 1000;

export interface TransportListener {
  /** There is a way to the service (again): read what was missed. Called after every connect, and for every poll. */
  catchUp(): Promise<void>;
  /** The service says something. */
  receive(event: string, payload: unknown): void;
}

/** The way to the service: a socket, REST where none can be had. */
export function createTransport(url: string, session: Session, listener: TransportListener) {
  const connection = createValue<Connection>({ state: 'idle' });
  let socket: Socket | null = null;
  let token = '';
  let failures = 0;
  let refusedTokens = 0;
  /** Grows with every start and stop: what an earlier life began must not touch a later one. */
  let life = 0;
  let isPolling = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let renewal: ReturnType<typeof setInterval> | undefined;

  /** At most one thing waits for its time: whatever comes next takes the place of what was to come. */
  const after = (delay: number, work: () => void) => {
    clearTimeout(retry);
    retry = setTimeout(work, delay * (0.75 + Math.random() / 2));
  };

  const fail = (error: unknown) => connection.set({ state: 'offline', error: toVisitorError(error) });

  function refuse(error: unknown): void {
    stop();
    connection.set({ state: 'refused', error: toVisitorError(error) });
  }

  // Anything but "not just now" is for good: a wrong widget key, an origin that may not, a bad identity.
  async function start(getToken = session.getToken, attempt = 0): Promise<void> {
    stop();
    const own = ++life;
    if (connection.value.state !== 'offline') connection.set({ state: 'connecting' });
    try {
      token = await getToken();
      if (own === life) connect();
    } catch (error) {
      if (own !== life) return;
      if (!isTransient(error)) return refuse(error);
      fail(error);
      after(Math.min(FIRST_DELAY * 2 ** attempt, LAST_DELAY), () => void start(getToken, attempt + 1));
    }
  }

  function connect(): void {
    const own = life;
    failures = 0;
    const manager = new Manager(url, {
      transports: ['websocket'],
      timeout: REQUEST_TIMEOUT,
      reconnectionDelay: FIRST_DELAY,
      reconnectionDelayMax: LAST_DELAY,
      randomizationFactor: 0.5,
    });
    // A function, so that every reconnect carries the newest token.
    const made = manager.socket('/visitor', { auth: (give: (auth: object) => void) => give({ token }) });
    socket = made;
    made.on('connect', () => void arrive(own));
    made.on('disconnect', (reason) => {
      if (own !== life) return;
      fail(new RequestError('unreachable', reason));
      // After its own farewell the service is not asked again by the library.
      if (!made.active) after(FIRST_DELAY, () => made.connect());
    });
    made.on('connect_error', (error) => {
      if (own === life) void miss(made, error);
    });
    made.onAny((event: string, payload: unknown) => own === life && listener.receive(event, payload));
    renewal = setInterval(() => void renew(own), RENEWAL_CHECK);
  }

  async function arrive(own: number): Promise<void> {
    clearTimeout(retry);
    isPolling = false;
    try {
      await listener.catchUp();
      failures = refusedTokens = 0;
      if (own === life && socket?.connected) connection.set({ state: 'online' });
    } catch (error) {
      if (own !== life) return;
      if (!isTransient(error)) return refuse(error);
      after(Math.min(FIRST_DELAY * 2 ** ++failures, LAST_DELAY), () => socket?.disconnect().connect());
    }
  }

  async function miss(made: Socket, error: Error & { data?: { code: string } }): Promise<void> {
    const code = error.data?.code;
    if (code === 'unauthorized') return replaceToken(error);
    if (code !== undefined && !isTransient(new RequestError(code, ''))) {
      return refuse(new RequestError(code, error.message));
    }
    if (!made.active) after(FIRST_DELAY * 4, () => made.connect());
    if (!isPolling) fail(error);
    if (++failures >= ATTEMPTS_BEFORE_POLLING && !isPolling) await poll();
  }

  // Goes on until a socket is there or REST fails as well; then the next attempt at a socket begins it again.
  async function poll(): Promise<void> {
    const own = life;
    isPolling = true;
    try {
      await listener.catchUp();
      if (own !== life || !isPolling) return;
      connection.set({ state: 'polling' });
      const isHidden = typeof document !== 'undefined' && document.visibilityState === 'hidden';
      after(isHidden ? POLL_HIDDEN : POLL_SEEN, () => {
        if (!isPolling || own !== life) return;
        // The library asks no more after a refusal, and the poll has taken the place of our own next attempt.
        if (!socket?.active) socket?.connect();
        void poll();
      });
    } catch (error) {
      if (own !== life || !isPolling) return;
      isPolling = false;
      if (error instanceof RequestError && error.code === 'unauthorized') return replaceToken(error);
      if (!isTransient(error)) return refuse(error);
      fail(error);
    }
  }

  function replaceToken(error: Error): Promise<void> | void {
    const refused = token;
    if (++refusedTokens > MAX_REFUSED_TOKENS) return refuse(new RequestError('unauthorized', error.message));
    return start(() => session.replaceToken(refused));
  }

  async function renew(own: number): Promise<void> {
    const fresh = await session.getToken().catch(() => token);
    if (own !== life || fresh === token) return;
    token = fresh;
    socket?.disconnect().connect();
  }

  // What the browser knows sooner than the timers do.
  function hurry(): void {
    const isSeen = document.visibilityState === 'visible' && navigator.onLine;
    if (isSeen && connection.value.state === 'offline') void start();
  }

  if (typeof window !== 'undefined') {
    window.addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
  }

  function stop(): void {
    life++;
    isPolling = false;
    clearTimeout(retry);
    clearInterval(renewal);
    const old = socket;
    socket = null;
    old?.disconnect();
  }

  function rest(): void {
    stop();
    connection.set({ state: 'idle' });
  }

  return {
    connection,
    start: () => start(),
    stop: rest,
    close() {
      rest();
      if (typeof window === 'undefined') return;
      window.removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
    },
    /** Whether a request would be tried. */
    get isUp(): boolean {
      return Boolean(socket?.connected) || isPolling;
    },
    get isLive(): boolean {
      return Boolean(socket?.connected);
    },
    /** Asks over the socket, else over REST. @throws RequestError */
    async ask<T>(event: string, payload: Record<string, unknown>): Promise<T> {
      if (!socket?.connected) return askOverRest<T>(url, token, event, payload);
      const answer = (await socket
        .timeout(REQUEST_TIMEOUT)
        .emitWithAck(event, payload)
        .catch((error: unknown) => {
          throw new RequestError('unreachable', String((error as Error).message));
        })) as { ok: boolean; error?: { code: string; detail: string } };
      if (answer.ok) return answer as T;
      throw new RequestError(answer.error?.code ?? 'internal_error', answer.error?.detail ?? '');
    },
  };
}

/** The REST twin of a socket's request. */
function askOverRest<T>(
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
      return request(`${chat}/${event}`, token, payload);
  }
}
