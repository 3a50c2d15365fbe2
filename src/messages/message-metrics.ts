import { Injectable } from '@nestjs/common';
import { type Histogram, Metrics } from '../platform/telemetry/metrics.js';
import { SENDER_TYPES } from './message.js';
import type { NewMessage } from './append.queries.js';

const SIZES = [1, 2, 4, 8, 16, 32, 64];

/** What operators see of messages on their way into a chat. */
@Injectable()
export class MessageMetrics {
  private readonly stored: Record<string, Histogram>;
  private readonly sizes: Histogram;
  private readonly statements: Histogram;

  constructor(metrics: Metrics) {
    const send = 'Time from a message that was accepted to its commit, by sender; the count is of messages stored';
    const durations = metrics.histograms('parley_message_send_duration_seconds', send, ['sender']);
    this.stored = Object.fromEntries(SENDER_TYPES.map((type) => [type, durations(type)]));
    this.sizes = metrics.histogram('parley_append_batch_size', 'Messages that shared a statement', SIZES);
    const took = 'Time that statements which store messages took, the wait for a connection included';
    this.statements = metrics.histogram('parley_append_statement_duration_seconds', took);
  }

  /** A message is committed. */
  onStored({ sender, startedAt }: NewMessage): void {
    this.stored[sender.type]!.observe((performance.now() - startedAt) / 1000);
  }

  /** A statement for so many messages has ended, well or not. */
  onStatement(messages: number, startedAt: number): void {
    this.sizes.observe(messages);
    this.statements.observe((performance.now() - startedAt) / 1000);
  }
}
