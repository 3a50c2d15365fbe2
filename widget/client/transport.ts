import type { Socket } from 'socket.io-client';
import { backoff, FIRST_DELAY_MS, jitter } from '../../headless/backoff.js';
import { createValue } from '../../headless/observable.js';
import { hasCode, isTransient, RequestError, toFailure } from '../../headless/errors.js';
import { NO_SESSION, request } from './request.js';
import type { requestOverRest } from './rest.js';
import type { Session } from './session.js';
import { openSocket, requestOverSocket, type SocketTransport } from './socket.js';
import type { Connection, ChatPage } from './types.js';

/** Failed attempts at a WebSocket in a row, while REST works, before long polling replaces it. */
const MAX_FAILURES = 2;
/** The same for an attempt without an answer, in milliseconds. */
const MAX_SILENCE_MS = 3_000;
/** A socket that ends sooner counts as a failed attempt. */
const MIN_SOCKET_LIFE_MS = 30_000;
/** After this long without a socket, REST is tried too. */
const SOCKET_WAIT_MS = 600;
/** Tokens that may be refused in a row before the client gives up. */
const MAX_REFUSED_TOKENS = 3;
/** The time between two polls of a visible page: soon after a message, and later; and of a hidden page. */
const POLL_SOON_MS = 600;
const POLL_VISIBLE_MS = 3_000;
const POLL_HIDDEN_MS = 15_000;
/** How long after a message the next one is expected soon. */
const SOON_MS = 60_000;
/** How often a blocked visitor's client checks whether the block has ended. */
const BLOCK_CHECK_MS = 30_000;
/** How often an open page checks whether its token needs renewal. */
const RENEWAL_CHECK_MS = 12 * 60 * 60 * 1000;

/** What is needed while no WebSocket connects. The widget loads it then. */
export interface Road {
  requestOverRest: typeof requestOverRest;
  /** Returns what Socket.IO's `transports` takes for long polling, and says in the console that WebSockets are blocked. */
  longPolling(url: string): SocketTransport;
}

type ConnectError = Error & { data?: { code: string } };

export interface TransportListener {
  /** Reads what was missed. Called after every connect, and for every poll. */
  catchUp(): Promise<void>;
  /** Handles an event that the service sends on its own. */
  receive(event: string, payload: unknown): void;
  /** Whether an anonymous visitor may be created. */
  mayBegin(): boolean;
  /** Whether a refused token may be replaced by a new visitor's. Otherwise the listener has stopped the transport. */
  mayReplaceToken(): boolean;
}

/** The connection to the service: a WebSocket, Socket.IO's long polling where WebSockets fail, or REST while neither connects. */
export class Transport {
  readonly connection = createValue<Connection>({ state: 'idle' });
  readonly #url: string;
  readonly #session: Session;
  readonly #listener: TransportListener;
  #socket: Socket | null = null;
  #token = '';
  #failures = 0;
  /** Attempts at a socket that failed in a row while REST worked. */
  #blocked = 0;
  /** When the socket connected last; Infinity while none is connected. */
  #connectedAt = Infinity;
  #refusedTokens = 0;
  /** Grows with every start and stop, so that a late answer of an earlier connection changes nothing. */
  #generation = 0;
  #isPolling = false;
  /** Whether long polling replaces WebSockets; null after it has failed too. */
  #isLong: boolean | null = false;
  /** When the attempt at a socket began. */
  #begunAt = 0;
  /** When a message was sent last. */
  #lastMessageAt = 0;
  readonly #loadRoad: () => Promise<Road>;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #renewalTimer: ReturnType<typeof setInterval> | undefined;

  constructor(url: string, session: Session, listener: TransportListener, loadRoad: () => Promise<Road>) {
    this.#url = url;
    this.#loadRoad = loadRoad;
    this.#session = session;
    this.#listener = listener;
    if (typeof window === 'undefined') return;
    window.addEventListener('online', this.#reconnectNow);
    document.addEventListener('visibilitychange', this.#reconnectNow);
  }

  /** Connects, and replaces an existing connection. */
  start(): Promise<void> {
    return this.#start(() => this.#session.getToken(this.#listener.mayBegin()));
  }

  /** Tries to connect now, without waiting for the next attempt, or after a refusal. */
  reconnect(): void {
    const { state } = this.connection.value;
    if (state === 'offline' || state === 'refused') void this.start();
  }

  /** Disconnects until the next `start`. */
  stop(): void {
    this.#disconnect();
    this.connection.set({ state: 'idle' });
  }

  /** Disconnects for good. */
  close(): void {
    this.stop();
    if (typeof window === 'undefined') return;
    window.removeEventListener('online', this.#reconnectNow);
    document.removeEventListener('visibilitychange', this.#reconnectNow);
  }

  /** Whether the service is reached now, over the socket or by polling. */
  get isUp(): boolean {
    return Boolean(this.#socket?.connected) || this.#isPolling;
  }

  /** Sends a request over the socket, or over REST without one. @throws RequestError */
  async request<T>(event: string, payload: Record<string, unknown>): Promise<T> {
    const generation = this.#generation;
    if (event === 'message:send') this.#expectSoon();
    try {
      return await (this.#socket?.connected
        ? requestOverSocket<T>(this.#socket, event, payload)
        : (await this.#loadRoad()).requestOverRest<T>(this.#url, this.#token, event, payload));
    } catch (error) {
      if (!hasCode(error, 'unauthorized')) throw error;
      // The token has ended. Messages wait for the next one.
      if (generation === this.#generation) void this.#replaceToken(error);
      throw new RequestError('unreachable', error.detail);
    }
  }

  /** @throws RequestError */
  async listChats(cursor?: string): Promise<ChatPage> {
    const page = new URLSearchParams({ limit: '20', ...(cursor && { cursor }) });
    return this.#session.ask(
      (token) => request(`${this.#url}/api/visitor/chats?${page}`, token),
      // A new visitor has no chats.
      this.#session.hasIdentity,
    );
  }

  async #start(getToken: () => Promise<string>, failures = 0, isCheck = false): Promise<void> {
    this.#disconnect();
    const generation = ++this.#generation;
    if (!isCheck && this.connection.value.state !== 'offline') this.connection.set({ state: 'connecting' });
    try {
      this.#token = await getToken();
      if (generation === this.#generation) this.#connect();
    } catch (error) {
      if (generation !== this.#generation) return;
      if (error === NO_SESSION) return void (this.#listener.mayReplaceToken() && this.start());
      if (!isTransient(error)) return this.#refuse(error);
      this.#goOffline(error);
      this.#retryAfter(backoff(failures), () => void this.#start(getToken, failures + 1));
    }
  }

  #connect(): void {
    const generation = this.#generation;
    this.#failures = this.#blocked = 0;
    this.#isLong = false;
    this.#open('websocket');
    this.#pollWithoutSocket(SOCKET_WAIT_MS);
    this.#renewalTimer = setInterval(() => void this.#renewToken(generation), RENEWAL_CHECK_MS);
  }

  #open(transport: SocketTransport): void {
    this.#begunAt = Date.now();
    this.#socket = openSocket(this.#url, () => this.#token, transport);
    this.#listen(this.#socket, this.#generation);
  }

  #listen(socket: Socket, generation: number): void {
    const isCurrent = () => socket === this.#socket;
    socket.on('connect', () => isCurrent() && void this.#onConnect(generation));
    socket.on('disconnect', (reason) => isCurrent() && this.#onDisconnect(socket, reason));
    socket.on('connect_error', (error) => isCurrent() && void this.#onConnectError(socket, error));
    socket.onAny((event: string, payload: unknown) => isCurrent() && this.#listener.receive(event, payload));
  }

  async #onConnect(generation: number): Promise<void> {
    clearTimeout(this.#retryTimer);
    this.#isPolling = false;
    this.#connectedAt = Date.now();
    try {
      await this.#listener.catchUp();
      this.#refusedTokens = 0;
      if (generation === this.#generation && this.#socket?.connected) this.connection.set({ state: 'online' });
    } catch (error) {
      if (generation !== this.#generation) return;
      if (!isTransient(error)) return this.#refuse(error);
      this.#retryAfter(backoff(++this.#failures), () => this.#reconnect());
    }
  }

  #onDisconnect(socket: Socket, reason: string): void {
    this.#begunAt = Date.now();
    if (this.#begunAt - this.#connectedAt > MIN_SOCKET_LIFE_MS) this.#failures = this.#blocked = 0;
    this.#connectedAt = Infinity;
    // A proxy accepts sockets and cuts them: the next attempt comes with the next poll.
    if (reason !== 'io client disconnect' && (++this.#blocked, ++this.#failures >= MAX_FAILURES)) {
      socket.disconnect();
      return void (this.#isPolling || this.#poll());
    }
    this.#goOffline(new RequestError('unreachable', reason));
    // The library does not reconnect on its own after the service has closed the connection.
    if (socket.active) this.#pollWithoutSocket(this.#isSoon ? SOCKET_WAIT_MS : POLL_VISIBLE_MS);
    else this.#retryAfter(FIRST_DELAY_MS, () => socket.connect());
  }

  #pollWithoutSocket(delay: number): void {
    this.#retryAfter(delay, () => this.#isPolling || void this.#poll());
  }

  async #onConnectError(socket: Socket, error: ConnectError): Promise<void> {
    const code = error.data?.code;
    this.#begunAt = Date.now();
    if (code === 'unauthorized') return this.#replaceToken(error);
    if (code !== undefined && !isTransient(new RequestError(code, ''))) {
      return this.#refuse(new RequestError(code, error.message));
    }
    if (!socket.active) this.#retryAfter(FIRST_DELAY_MS * 4, () => socket.connect());
    this.#failures++;
    if (code === undefined) this.#blocked++;
    if (this.#isPolling) return void (this.#isBlocked && this.#changeTransport());
    this.#goOffline(error);
    await this.#poll();
  }

  /** Whether sockets fail, or aren't answered, though REST works. */
  get #isBlocked(): boolean {
    return this.#blocked >= MAX_FAILURES || Date.now() - this.#begunAt > MAX_SILENCE_MS;
  }

  /** Replaces WebSockets, which a proxy blocks, with long polling. Returns to them if that's blocked too. */
  async #changeTransport(): Promise<void> {
    if (this.#isLong === null) return;
    const generation = this.#generation;
    this.#isLong = this.#isLong ? null : true;
    this.#blocked = 0;
    this.#begunAt = Date.now();
    // It's loaded: REST has worked.
    const transport = this.#isLong ? (await this.#loadRoad()).longPolling(this.#url) : 'websocket';
    const socket = this.#socket;
    if (generation !== this.#generation || !socket || socket.connected) return;
    this.#open(transport);
    socket.disconnect();
  }

  // Polls until a socket connects or REST fails as well. The next failed attempt at a socket starts the polling again.
  async #poll(): Promise<void> {
    const generation = this.#generation;
    const isCurrent = () => generation === this.#generation && this.#isPolling;
    this.#isPolling = true;
    try {
      await this.#listener.catchUp();
      if (!isCurrent()) return;
      this.connection.set({ state: 'polling' });
      this.#pollLater();
      if (this.#isBlocked) void this.#changeTransport();
    } catch (error) {
      if (isCurrent()) this.#onPollError(error);
    }
  }

  #pollLater(): void {
    const delay = isHidden() ? POLL_HIDDEN_MS : this.#isSoon ? POLL_SOON_MS : POLL_VISIBLE_MS;
    this.#retryAfter(delay, () => this.#isPolling && this.#pollAgain());
  }

  get #isSoon(): boolean {
    return Date.now() - this.#lastMessageAt < SOON_MS;
  }

  /** Expects an answer to a message. */
  #expectSoon(): void {
    this.#lastMessageAt = Date.now();
    if (this.#isPolling) this.#pollLater();
  }

  #pollAgain(): void {
    // After a refusal the library does not reconnect, and the poll's timer has replaced the timer that would do it.
    if (!this.#socket?.active) this.#socket?.connect();
    void this.#poll();
  }

  #onPollError(error: unknown): void {
    this.#isPolling = false;
    this.#blocked = 0;
    if (!isTransient(error)) return this.#refuse(error);
    // After sockets that were cut, the poll was to make the next attempt at one.
    if (!this.#socket?.active) this.#retryAfter(backoff(this.#failures), () => this.#socket?.connect());
    this.#goOffline(error);
  }

  #replaceToken(error: Error): Promise<void> | void {
    if (!this.#listener.mayReplaceToken()) return;
    const refused = this.#token;
    if (++this.#refusedTokens > MAX_REFUSED_TOKENS)
      return this.#refuse(new RequestError('unauthorized', error.message));
    return this.#start(() => this.#session.replaceToken(refused));
  }

  async #renewToken(generation: number): Promise<void> {
    const token = await this.#session.getToken().catch(() => this.#token);
    if (generation !== this.#generation || token === this.#token) return;
    this.#token = token;
    this.#reconnect();
  }

  #reconnect(): void {
    this.#socket?.disconnect().connect();
  }

  /** Does not wait for the next attempt when the browser is online again, or the page visible again. */
  readonly #reconnectNow = (): void => {
    const isUseful = document.visibilityState === 'visible' && navigator.onLine;
    if (isUseful && this.connection.value.state === 'offline') void this.start();
  };

  /** Runs `work` later. There is one timer only: the next call replaces this one. */
  #retryAfter(delay: number, work: () => void): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(work, jitter(delay));
  }

  #goOffline(error: unknown): void {
    this.connection.set({ state: 'offline', error: toFailure(error) });
  }

  /** Gives up: the widget key, the origin or the identity is wrong, and will be wrong the next time. Only a block may end. */
  #refuse(error: unknown): void {
    this.#disconnect();
    const failure = toFailure(error);
    const { state, error: before } = this.connection.value;
    if (state !== 'refused' || before?.code !== failure.code) this.connection.set({ state: 'refused', error: failure });
    if (failure.code === 'blocked') {
      this.#retryAfter(BLOCK_CHECK_MS, () => void this.#start(() => this.#session.getToken(), 0, true));
    }
  }

  #disconnect(): void {
    this.#generation++;
    this.#isPolling = false;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#renewalTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.disconnect();
  }
}

function isHidden(): boolean {
  return typeof document !== 'undefined' && document.visibilityState === 'hidden';
}
