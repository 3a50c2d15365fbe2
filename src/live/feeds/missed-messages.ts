import { Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { Sweep } from '../../platform/lib/sweep.js';
import { MessagesService } from '../../messages/messages.service.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { LiveMetrics, type Source } from './live-metrics.js';
import { type Ahead, findAhead, type SentSeq } from './missed-messages.queries.js';
import { Timings } from './timings.js';
import type { MessageView } from '../../messages/message.js';

/** The most chats in one statement. */
const MAX_CHATS = 5_000;
/** The most chats whose missed messages are read together, and the most messages of each. Clients get a `seq` for the rest. */
const MAX_READ_TOGETHER = 100;
const MAX_MISSING = 20;

/** An audience's sockets that listen to chats. */
interface ChatListeners {
  onEmptied(listener: (chatId: string) => void): void;
  hasChat(chatId: string): boolean;
  sendMessage(message: MessageView, source: Source): void;
  sendSeq(chatId: string, latestSeq: number, exceptSocketId?: string): void;
}

/**
 * Finds messages that this node's listeners missed, for example because another node's hint was lost, and sends them. It
 * compares the chats with listeners with the database, at intervals and whenever the connection to Redis is lost or restored. It
 * sends no query while there are no listeners.
 */
export abstract class MissedMessages implements OnModuleDestroy {
  private readonly logger = new Logger(MissedMessages.name);
  private readonly known = new Map<string, SentSeq>();
  private readonly sweep: Sweep;

  constructor(
    private readonly pool: Pool,
    private readonly feed: ChatListeners,
    private readonly messages: MessagesService,
    nodes: OtherNodes,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    this.sweep = new Sweep({
      interval: () => (nodes.isDisconnected ? timings.seqHintsAlone : timings.seqHints),
      isNeeded: () => this.known.size > 0,
      run: () => this.hintAll(),
      onError: (err, isFirst) => {
        metrics.sweepErrors.add();
        if (isFirst) this.logger.warn({ err }, 'failed to read the latest seq of chats');
      },
    });
    feed.onEmptied((chatId) => this.forget(chatId));
    nodes.onChange(() => this.sweep.trigger());
  }

  /** Call this when a message was sent to all listeners of its chat. */
  onSent(organizationId: string, chatId: string, seq: number): void {
    if (this.feed.hasChat(chatId)) this.record(organizationId, chatId, seq);
  }

  /**
   * Call this when a socket opened a chat. If its `seq` is newer than the known one, the other sockets get a hint. Returns the
   * highest known `seq`: above `latestSeq` if a message was sent after the chat was read and before the socket listened.
   */
  onOpened(organizationId: string, chatId: string, latestSeq: number, socketId: string): number {
    const known = this.known.get(chatId);
    if (known && latestSeq > known.seq) this.feed.sendSeq(chatId, latestSeq, socketId);
    this.onSent(organizationId, chatId, latestSeq);
    return Math.max(latestSeq, known?.seq ?? 0);
  }

  onModuleDestroy(): void {
    this.sweep.stop();
  }

  private record(organizationId: string, chatId: string, seq: number): void {
    const known = this.known.get(chatId);
    if (known) known.seq = Math.max(known.seq, seq);
    else this.known.set(chatId, { organizationId, chatId, seq });
    this.sweep.schedule();
  }

  private forget(chatId: string): void {
    this.known.delete(chatId);
    if (this.known.size === 0) this.sweep.cancel();
  }

  private async hintAll(): Promise<void> {
    const all = [...this.known.values()];
    for (let from = 0; from < all.length; from += MAX_CHATS) await this.hint(all.slice(from, from + MAX_CHATS));
  }

  private async hint(chats: readonly SentSeq[]): Promise<void> {
    const ahead = await findAhead(this.pool, chats);
    for (let from = 0; from < ahead.length; from += MAX_READ_TOGETHER)
      await this.sendMissing(ahead.slice(from, from + MAX_READ_TOGETHER));
  }

  // Clients drop messages that they already have. If a chat's messages don't all fit, its clients get the seq too.
  private async sendMissing(ahead: readonly Ahead[]): Promise<void> {
    const missing = ahead.map(({ organizationId, chatId, seq, latestSeq }) => {
      return { organizationId, chatId, afterSeq: seq, lastSeq: Math.min(latestSeq, seq + MAX_MISSING) };
    });
    const sent = new Map<string, number>();
    for (const message of await this.messages.readMissing(missing)) {
      const { chatId, seq } = message;
      if (seq > (this.known.get(chatId)?.seq ?? 0)) this.feed.sendMessage(message, 'sweep');
      sent.set(chatId, seq);
    }
    for (const { chatId, latestSeq } of ahead) {
      if (latestSeq > (sent.get(chatId) ?? 0)) this.feed.sendSeq(chatId, latestSeq);
      const known = this.known.get(chatId);
      if (known) known.seq = Math.max(known.seq, latestSeq);
    }
  }
}
