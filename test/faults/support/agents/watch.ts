import { setTimeout as sleep } from 'node:timers/promises';
import { AWAIT_REPLICATION } from '../../../../src/platform/database/replication.js';
import type { Database } from '../postgres.js';

/** Milliseconds between two checks. */
const LOOK = 500;
/** Maximum milliseconds that a chat may wait while an agent is free for it (CONTRACT: Routing). */
const MAX_IDLE = 5_000;

/** A check that takes longer finds that nothing can be committed, such as on a primary without its standby. */
const MAX_LOOK = 2_000;

// Counted from the rows, and from the connections that agents' own sockets report, without the service's counters and
// presence.
const IDLE = `
  SELECT c.id, c.rev, ${AWAIT_REPLICATION} FROM chats c
  JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id AND g.routing <> 'MANUAL'
  WHERE c.organization_id = $1 AND c.status = 'QUEUED'
    AND NOT EXISTS (SELECT FROM chat_offers o
      WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.ended_at IS NULL)
    AND EXISTS (
      SELECT FROM agents a JOIN agent_groups m ON m.organization_id = a.organization_id AND m.agent_id = a.id
      WHERE a.organization_id = $1 AND m.group_id = g.id AND a.id = ANY ($2) AND a.is_accepting
        AND a.capacity > (SELECT count(*) FROM chats h WHERE h.organization_id = $1 AND h.agent_id = a.id)
          + (SELECT count(*) FROM chat_offers o
             WHERE o.organization_id = $1 AND o.agent_id = a.id AND o.ended_at IS NULL)
        AND (g.routing <> 'OFFER' OR g.max_pending_offers > (SELECT count(*) FROM chat_offers o
          WHERE o.organization_id = $1 AND o.agent_id = a.id AND o.ended_at IS NULL))
        AND NOT EXISTS (SELECT FROM chat_offers o
          WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.agent_id = a.id)
        AND NOT EXISTS (SELECT FROM handoffs h
          WHERE h.organization_id = $1 AND h.chat_id = c.id AND h.previous_agent_id = a.id)
        AND c.last_agent_id IS DISTINCT FROM a.id)`;

/** Finds chats that wait although an agent is free, while the database answers and commits. */
export class Watch {
  readonly faults: string[] = [];
  /** The longest time that a chat waited although an agent was free, in milliseconds. */
  longest = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();
  private since = new Map<string, number>();

  constructor(
    private readonly postgres: Database,
    private readonly organizationId: string,
  ) {}

  /** @param present the agents who are connected */
  start(present: () => string[]): void {
    this.running = this.run(present);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(present: () => string[]): Promise<void> {
    while (!this.isOver) {
      const agents = present();
      const askedAt = performance.now();
      const rows = await this.postgres
        .query<{ id: string; rev: number }>(IDLE, [this.organizationId, agents])
        .catch(() => []);
      const commits = performance.now() - askedAt < MAX_LOOK;
      this.compare(commits ? rows.map(({ id, rev }) => `${id} ${rev}`) : []);
      await sleep(LOOK);
    }
  }

  // The time of a chat that changed since the last check starts again.
  private compare(idle: string[]): void {
    const now = performance.now();
    this.since = new Map(idle.map((key) => [key, this.since.get(key) ?? now]));
    for (const [key, since] of this.since) {
      this.longest = Math.max(this.longest, now - since);
      if (now - since > MAX_IDLE) this.faults.push(`chat ${key} waited although an agent was free`);
    }
  }
}
