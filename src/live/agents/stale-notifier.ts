import type { AgentSocket } from '../agent-state/agent-feed.js';

/** Milliseconds between two steps. */
const STEP_MS = 100;
/** Milliseconds until every socket was notified. */
const ROUND_MS = 5_000;

/**
 * Notifies agents' sockets that they may have missed something, a few at a time. Each of them then reads its lists again; all
 * together would keep the nodes and the database busy for seconds.
 */
export class StaleNotifier {
  private readonly waiting = new Set<AgentSocket>();
  private perStep = 0;
  private timer?: NodeJS.Timeout;

  constructor(private readonly notify: (sockets: AgentSocket[]) => void) {}

  /** Notifies each socket once within 5 s. Sockets that already wait keep their position. */
  add(sockets: readonly AgentSocket[]): void {
    for (const socket of sockets) this.waiting.add(socket);
    this.perStep = Math.ceil((this.waiting.size * STEP_MS) / ROUND_MS);
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
      if (socket.connected && next.push(socket) === this.perStep) break;
    }
    this.notify(next);
    this.timer = this.waiting.size > 0 ? setTimeout(() => this.step(), STEP_MS).unref() : undefined;
  }
}
