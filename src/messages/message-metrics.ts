import { Injectable } from '@nestjs/common';
import { type Histogram, Metrics } from '../platform/telemetry/metrics.js';
import { SENDER_TYPES } from './message.js';
import type { NewMessage } from './append.queries.js';

const SIZES = [1, 2, 4, 8, 16, 32, 64];

/** The metrics of storing messages. */
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

  /** To be called for each committed message. */
  onStored({ sender, startedAt }: NewMessage): void {
    this.stored[sender.type]!.observe((performance.now() - startedAt) / 1000);
  }

  /** To be called when a statement for so many messages has ended, also when it failed. */
  onStatement(messages: number, startedAt: number): void {
    this.sizes.observe(messages);
    this.statements.observe((performance.now() - startedAt) / 1000);
  }
}
