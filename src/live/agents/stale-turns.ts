import type { AgentSocket } from '../agent-state/agent-feed.js';

/** Milliseconds between two steps. */
const STEP = 100;
/** Milliseconds in which everybody gets a turn. */
const ROUND = 5_000;

/**
 * Tells agents' sockets that they may have missed something, a few at a time: each of them then reads its lists again, and all at
 * once would keep the nodes and the database busy for seconds.
 */
export class StaleTurns {
  private readonly waiting = new Set<AgentSocket>();
  private atOnce = 0;
  private timer?: NodeJS.Timeout;

  constructor(private readonly tell: (sockets: AgentSocket[]) => void) {}

  /** Each of the sockets is told once within 5 s; who waits already keeps the turn. */
  add(sockets: readonly AgentSocket[]): void {
    for (const socket of sockets) this.waiting.add(socket);
    this.atOnce = Math.ceil((this.waiting.size * STEP) / ROUND);
    if (!this.timer) this.step();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  private step(): void {
    const next: AgentSocket[] = [];
    for (const socket of this.waiting) {
      this.waiting.delete(socket);
      if (socket.connected && next.push(socket) === this.atOnce) break;
    }
    this.tell(next);
    this.timer = this.waiting.size > 0 ? setTimeout(() => this.step(), STEP).unref() : undefined;
  }
}
