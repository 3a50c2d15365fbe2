import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { CliError, EXIT } from '../errors.js';
import type { Message } from './judge.js';

/** Milliseconds to wait for a response, and before a retry. */
const REPLY_TIMEOUT_MS = 6_000;
const RETRY_PAUSE_MS = 500;

interface Answer {
  ok: boolean;
  error?: { code: string; detail: string };
  message?: Message;
  messages?: Message[];
  hasMore?: boolean;
}

export interface Watch {
  onMessage: (message: Message) => void;
  /** @param isTyping whether someone other than the visitor types */
  onTyping: (isTyping: boolean) => void;
}

/** Temporary errors: the service is restarting, overloaded, or rate-limiting. */
const TRANSIENT_ERRORS: readonly unknown[] = ['unavailable', 'rate_limited', 'internal_error'];

/** A visitor with one chat, over a socket. Receives every message once and in order (docs/reference/sockets.md). */
export class Conversation {
  /** In the order of `seq`, without a gap. */
  readonly messages: Message[] = [];
  private readonly held = new Map<number, Message>();
  private readonly watchers = new Set<() => void>();
  private readonly socket: Socket;
  private catchingUp?: Promise<void>;
  /** Whether this connection receives the chat's messages. */
  private isOpen = false;

  constructor(
    url: string,
    readonly chatId: string,
    token: string,
    private readonly watch: Watch,
  ) {
    const { origin, pathname } = new URL(url);
    this.socket = io(`${origin}/visitor`, {
      path: `${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}/socket.io`,
      auth: { token },
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      forceNew: true,
    });
    this.socket.on('connect', () => {
      this.isOpen = false;
      this.catchUp();
    });
    this.socket.on('message', (message: Message) => this.take(message));
    this.socket.on('seq', ({ latestSeq }: { latestSeq: number }) => {
      if (latestSeq > this.messages.length) this.catchUp();
    });
    this.socket.on('typing', ({ isTyping }: { isTyping: boolean }) => watch.onTyping(isTyping));
  }

  /** Sends a message, retrying until it's stored once. @throws CliError if the service refuses it */
  async send(content: string): Promise<Message> {
    const body = { chatId: this.chatId, content, clientMessageId: randomUUID() };
    for (;;) {
      const answer = await this.ask('message:send', body);
      if (answer.message) {
        this.take(answer.message);
        return answer.message;
      }
      if (!TRANSIENT_ERRORS.includes(answer.error?.code))
        throw new CliError(EXIT.failed, `the service refuses the message: ${answer.error?.detail}`);
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Waits until a condition holds or the signal aborts. @returns whether it holds */
  async until(holds: () => boolean, signal: AbortSignal): Promise<boolean> {
    while (!holds()) {
      if (signal.aborted) return false;
      await this.change(signal);
    }
    return true;
  }

  /** Checks the conditions again, because something other than the messages has changed. */
  wake(): void {
    for (const notify of this.watchers) notify();
  }

  close(): void {
    this.socket.close();
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const notify = () => {
        this.watchers.delete(notify);
        signal.removeEventListener('abort', notify);
        resolve();
      };
      this.watchers.add(notify);
      signal.addEventListener('abort', notify);
    });
  }

  /** Applies the next message. A later one triggers fetching the messages in between. */
  private take(message: Message): void {
    if (message.seq <= this.messages.length) return;
    this.held.set(message.seq, message);
    for (let next: Message | undefined; (next = this.held.get(this.messages.length + 1));) {
      this.held.delete(next.seq);
      this.messages.push(next);
      this.watch.onMessage(next);
    }
    if (this.held.size > 0) this.catchUp();
    this.wake();
  }

  private catchUp(): void {
    this.catchingUp ??= this.fetch().finally(() => (this.catchingUp = undefined));
  }

  private async fetch(): Promise<void> {
    while (this.socket.connected) {
      const request = this.isOpen ? 'sync' : 'chat:open';
      const { id } = this.socket;
      const answer = await this.ask(request, { chatId: this.chatId, afterSeq: this.messages.length });
      if (!answer.ok) {
        await sleep(RETRY_PAUSE_MS);
        continue;
      }
      this.isOpen ||= id === this.socket.id;
      for (const message of answer.messages ?? []) this.take(message);
      if (this.isOpen && !answer.hasMore) return;
    }
  }

  private async ask(request: string, payload: object): Promise<Answer> {
    try {
      return (await this.socket.timeout(REPLY_TIMEOUT_MS).emitWithAck(request, payload)) as Answer;
    } catch {
      return { ok: false, error: { code: 'unavailable', detail: 'no answer' } };
    }
  }
}
