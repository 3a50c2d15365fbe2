import { Injectable } from '@nestjs/common';
import { BotMetrics } from '../bots/bot-metrics.js';
import type { MessageView } from '../messages/message.js';
import { LiveUpdates } from './feeds/live-updates.js';

/** The most chats whose visitor's wait is measured. */
const MAX_CHATS = 10_000;

/**
 * Measures how long bots take to answer visitors. A wait begins with a message that this node stored, and ends with the first message of
 * a bot that this node stored or received from another node, which it does while the visitor is connected to it. A wait that people end, or that this node
 * can't see the end of, isn't counted.
 */
@Injectable()
export class BotAnswers {
  /** When the visitor of a chat began to wait, in milliseconds since 1970; the oldest first. */
  private readonly waits = new Map<string, number>();

  constructor(
    updates: LiveUpdates,
    private readonly metrics: BotMetrics,
  ) {
    updates.on('message.created', ({ message }, source) => this.onMessage(message, source === 'here'));
    updates.on('chats.removed', ({ chatIds }) => {
      for (const id of chatIds) this.waits.delete(id);
    });
  }

  private onMessage({ chatId, sender, createdAt }: MessageView, isHere: boolean): void {
    if (sender.type === 'VISITOR') {
      if (isHere) this.begin(chatId, Date.parse(createdAt));
      return;
    }
    const since = this.waits.get(chatId);
    if (since === undefined || sender.type === 'SYSTEM') return;
    this.waits.delete(chatId);
    if (sender.type === 'BOT') this.metrics.onAnswered(sender.id, (Date.parse(createdAt) - since) / 1000);
  }

  private begin(chatId: string, at: number): void {
    if (this.waits.has(chatId)) return;
    if (this.waits.size >= MAX_CHATS) this.waits.delete(this.waits.keys().next().value!);
    this.waits.set(chatId, at);
  }
}
