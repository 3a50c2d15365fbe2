import { Injectable } from '@nestjs/common';
import { type Histogram, Metrics } from '../platform/telemetry/metrics.js';
import { SENDER_TYPES } from './message.js';
import type { NewMessage } from './append.queries.js';

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64];

/** The metrics of storing messages. */
@Injectable()
export class MessageMetrics {
  private readonly stored: Record<string, Histogram>;
  private readonly sizes: Histogram;
  private readonly statements: Histogram;

  constructor(metrics: Metrics) {
    const durations = metrics.histograms('parley_message_send_duration_seconds');
    this.stored = Object.fromEntries(SENDER_TYPES.map((type) => [type, durations(type)]));
    this.sizes = metrics.histogram('parley_append_batch_size', BATCH_SIZES);
    this.statements = metrics.histogram('parley_append_statement_duration_seconds');
  }

  /** Call this for each committed message. */
  onStored({ sender, startedAt }: NewMessage): void {
    this.stored[sender.type]!.observe((performance.now() - startedAt) / 1000);
  }

  /** Call this when a statement for this many messages has ended, even if it failed. */
  onStatement(messages: number, startedAt: number): void {
    this.sizes.observe(messages);
    this.statements.observe((performance.now() - startedAt) / 1000);
  }
}
