import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../database/database.module.js';
import { LiveFeed } from './live-feed.js';
import { findAhead, type KnownSeq } from './seq-hints.queries.js';
import { Timings } from './timings.js';

/** The most chats that one statement asks for. */
const MAX_CHATS = 5_000;

/**
 * Lets clients see that they missed the last message, as when another process stored it: asks the database now and then
 * for the chats that somebody here listens to, and nothing when nobody does.
 */
@Injectable()
export class SeqHints implements OnModuleDestroy {
  private readonly logger = new Logger(SeqHints.name);
  private readonly known = new Map<string, KnownSeq>();
  private timer?: NodeJS.Timeout;
  private isSweeping = false;
  private isFailing = false;
  private isStopped = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: LiveFeed,
    private readonly timings: Timings,
  ) {
    feed.onEmptied((chatId) => this.forget(chatId));
  }

  /** Everybody who listens was sent this message. */
  onSent(organizationId: string, chatId: string, seq: number): void {
    if (this.feed.hasListeners(chatId)) this.know(organizationId, chatId, seq);
  }

  /** A socket opened the chat and was told its latest `seq`; when it is news, the others are told too. */
  onOpened(organizationId: string, chatId: string, latestSeq: number, socketId: string): void {
    const known = this.known.get(chatId);
    if (known && latestSeq > known.seq) this.feed.sendSeq(chatId, latestSeq, socketId);
    this.onSent(organizationId, chatId, latestSeq);
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private know(organizationId: string, chatId: string, seq: number): void {
    const known = this.known.get(chatId);
    if (known) known.seq = Math.max(known.seq, seq);
    else this.known.set(chatId, { organizationId, chatId, seq });
    this.schedule();
  }

  private forget(chatId: string): void {
    this.known.delete(chatId);
    if (this.known.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    if (this.timer || this.isSweeping || this.isStopped || this.known.size === 0) return;
    this.timer = setTimeout(() => void this.sweep(), this.timings.seqHints).unref();
  }

  // The next one is scheduled when this one has ended: there are never two.
  private async sweep(): Promise<void> {
    this.timer = undefined;
    this.isSweeping = true;
    try {
      const all = [...this.known.values()];
      for (let from = 0; from < all.length; from += MAX_CHATS) await this.hint(all.slice(from, from + MAX_CHATS));
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.isStopped) this.logger.warn({ err }, 'the latest seq of chats could not be read');
      this.isFailing = true;
    }
    this.isSweeping = false;
    this.schedule();
  }

  private async hint(chats: readonly KnownSeq[]): Promise<void> {
    for (const { chatId, latestSeq } of await findAhead(this.pool, chats)) {
      const known = this.known.get(chatId);
      // The message may have come meanwhile, or everybody may have gone.
      if (!known || known.seq >= latestSeq) continue;
      known.seq = latestSeq;
      this.feed.sendSeq(chatId, latestSeq);
    }
  }
}
