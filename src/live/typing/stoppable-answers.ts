import { Injectable } from '@nestjs/common';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';
import { LiveTexts } from './live-texts.js';

/** How long other nodes have to answer, in milliseconds. */
const PATIENCE_MS = 500;

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** A node wants to know whether a bot that can stop is writing in a chat. */
    'answer.asked': { chatId: string };
    /** One is, says the node that keeps its text. */
    'answer.written': { chatId: string };
  }
}

/** Knows where bots that can stop are writing: from their live texts, which the nodes keep that have accepted them. */
@Injectable()
export class StoppableAnswers {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly texts: LiveTexts,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('answer.asked', ({ chatId }) => {
      if (texts.canStop(chatId)) nodes.publish(ALL_NODES, 'answer.written', { chatId });
    });
    nodes.on('answer.written', ({ chatId }) => this.waiting.get(chatId)?.forEach((found) => found()));
  }

  /** Whether a bot that can stop is writing in a chat. If the other nodes don't say so within 500 ms, it isn't. */
  async has(chatId: string): Promise<boolean> {
    if (this.texts.canStop(chatId)) return true;
    if (!this.nodes.redis?.isConnected) return false;
    return new Promise((resolve) => {
      const waiting = this.waiting.get(chatId) ?? new Set();
      const end = (isFound: boolean) => {
        clearTimeout(timer);
        waiting.delete(found);
        if (waiting.size === 0) this.waiting.delete(chatId);
        resolve(isFound);
      };
      const found = () => end(true);
      const timer = setTimeout(() => end(false), PATIENCE_MS);
      this.waiting.set(chatId, waiting.add(found));
      this.nodes.publish(chatId, 'answer.asked', { chatId });
    });
  }
}
