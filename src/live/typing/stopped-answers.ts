import { Injectable } from '@nestjs/common';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';
import { TypingSnapshots } from './typing-snapshots.js';

/** How long a stop counts, in milliseconds, and the most of them that are held in memory. */
const COUNTS_MS = 60_000;
const MAX_STOPS = 10_000;

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** The visitor stopped what a bot writes after this `seq`. */
    'answer.stopped': { chatId: string; seq: number };
  }
}

/**
 * The answers of bots that visitors have stopped. Bots that call the bot API learn it from the response to their next live text. In memory
 * only, on all nodes: if a stop is lost, the visitor can stop again.
 */
@Injectable()
export class StoppedAnswers {
  private readonly stops = new Map<string, { seq: number; at: number }>();

  constructor(
    private readonly snapshots: TypingSnapshots,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('answer.stopped', ({ chatId, seq }) => this.keep(chatId, seq));
  }

  /** Stops what is written now in a chat. @throws Problem not_found */
  async stop(organizationId: string, chatId: string): Promise<void> {
    const { afterSeq: seq } = await this.snapshots.get(organizationId, chatId);
    this.keep(chatId, seq);
    this.nodes.publish(ALL_NODES, 'answer.stopped', { chatId, seq });
  }

  /** Whether the visitor stopped what is written after a `seq`. A later message ends that. */
  has(chatId: string, seq: number): boolean {
    const stop = this.stops.get(chatId);
    return stop !== undefined && stop.seq === seq && performance.now() - stop.at < COUNTS_MS;
  }

  private keep(chatId: string, seq: number): void {
    // The newest ones are last.
    this.stops.delete(chatId);
    this.stops.set(chatId, { seq, at: performance.now() });
    if (this.stops.size > MAX_STOPS) for (const [oldest] of this.stops) return void this.stops.delete(oldest);
  }
}
