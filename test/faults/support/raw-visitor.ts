import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';
import type { Heard, Visitor } from './visitor.js';

/** More milliseconds than the service may take for an ack. */
const PATIENCE = 8_000;

/** How a side of the conversation connects, and subscribes to a chat. */
const SIDES = { visitor: 'chat:open', agent: 'chat:follow' } as const;

/**
 * A visitor who implements the contract's rule by hand (drop, apply, or hold and sync), and switches to the next node. Or an agent who
 * follows the chat.
 */
export class RawVisitor implements Visitor {
  readonly applied: Heard[] = [];
  private readonly held = new Map<number, Heard>();
  private socket?: Socket;
  private isSyncing = false;
  private isClosed = false;

  constructor(
    readonly name: string,
    private readonly urls: string[],
    private readonly token: string,
    readonly chatId: string,
    private readonly ledger: Ledger,
    private readonly random: Random,
    private readonly side: keyof typeof SIDES = 'visitor',
  ) {
    void this.stayConnected();
  }

  async say(content: string, isOver: () => boolean): Promise<void> {
    const payload = { chatId: this.chatId, content, clientMessageId: content };
    while (!isOver()) {
      const begunAt = performance.now();
      const answer = await this.ask('message:send', payload);
      if (answer?.ok) return this.ledger.ack(this.name, content, answer.message, begunAt);
      await sleep(this.random.between(50, 150));
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private async stayConnected(): Promise<void> {
    for (let place = Math.floor(this.random.next() * this.urls.length); !this.isClosed; place++) {
      const auth = { token: this.token };
      const options = { auth, transports: ['websocket'], forceNew: true, reconnection: false, timeout: PATIENCE };
      const socket = io(`${this.urls[place % this.urls.length]}/${this.side}`, options);
      this.socket = socket;
      socket.on('message', (message: Heard) => this.hear(message));
      socket.on('seq', ({ latestSeq }: { latestSeq: number }) => latestSeq > this.last && void this.sync());
      const ended = new Promise((resolve) => socket.once('connect_error', resolve).once('disconnect', resolve));
      socket.once('connect', () => void this.open(socket));
      await ended;
      socket.close();
      await sleep(this.random.between(50, 150));
    }
  }

  /** Opens the chat until that succeeds: only then the socket receives messages. */
  private async open(socket: Socket): Promise<void> {
    while (socket.connected) {
      const answer = await this.ask(SIDES[this.side], { chatId: this.chatId, afterSeq: this.last });
      if (answer?.ok) {
        answer.messages.forEach((message: Heard) => this.hear(message));
        if (answer.hasMore) void this.sync();
        return;
      }
      await sleep(100);
    }
  }

  private get last(): number {
    return this.applied.at(-1)?.seq ?? 0;
  }

  private hear(message: Heard): void {
    if (message.seq > this.last) this.held.set(message.seq, message);
    for (let next = this.held.get(this.last + 1); next; next = this.held.get(this.last + 1)) {
      this.held.delete(next.seq);
      this.applied.push({ id: next.id, seq: next.seq });
    }
    for (const seq of this.held.keys()) if (seq <= this.last) this.held.delete(seq);
    if (this.held.size > 0) void this.sync();
  }

  private async sync(): Promise<void> {
    if (this.isSyncing) return;
    this.isSyncing = true;
    for (let hasMore = true; hasMore && this.socket?.connected;) {
      const answer = await this.ask('sync', { chatId: this.chatId, afterSeq: this.last });
      if (!answer?.ok) await sleep(100);
      answer?.messages?.forEach((message: Heard) => this.hear(message));
      hasMore = !answer?.ok || answer.hasMore;
    }
    this.isSyncing = false;
  }

  /** Null without a connection, or when it ended before the ack. */
  private async ask(event: string, payload: object): Promise<any> {
    const { socket } = this;
    if (!socket?.connected) return null;
    const startedAt = performance.now();
    const answer = await socket
      .timeout(PATIENCE)
      .emitWithAck(event, payload)
      .catch(() => null);
    const isBroken = answer === null && socket.disconnected;
    const outcome = isBroken ? 'disconnected' : (answer?.error?.code ?? (answer ? 'ok' : 'no ack'));
    this.ledger.attempt(`a socket's ${event}`, outcome, performance.now() - startedAt);
    return answer;
  }
}
