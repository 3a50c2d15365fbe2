import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ChatState } from '../../chats/reading/chat-state.js';
import { MAX_COUNTED, sqlPlaces } from '../../chats/reading/queue-sql.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { VisitorStates } from './visitor-states.js';

/** Milliseconds between two looks at the places of waiting chats. */
const INTERVAL = 2_000;

// Each queue is read once, however many of its chats are asked for.
const FIND = `
  WITH asked AS (
    SELECT c.organization_id, c.group_id, c.id
    FROM unnest($1::text[], $2::text[]) AS k (organization_id, id)
    JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.id
    WHERE c.status = 'QUEUED' AND c.erased_at IS NULL
  ), places AS (
    SELECT g.organization_id, place.id, place.position
    FROM (SELECT DISTINCT organization_id, group_id FROM asked) g CROSS JOIN LATERAL (${sqlPlaces('g')}) place
  )
  SELECT a.id, COALESCE(p.position, ${MAX_COUNTED}) AS position
  FROM asked a LEFT JOIN places p ON p.organization_id = a.organization_id AND p.id = a.id`;

interface ToldPlace {
  organizationId: string;
  position: number;
}

/** Tells visitors who wait when their place in the queue changes: of the chats that sockets of this node listen to. */
@Injectable()
export class QueuePositions implements OnModuleInit, OnModuleDestroy {
  private readonly told = new Map<string, ToldPlace>();
  private readonly job = new PeriodicJob(() => this.look(), INTERVAL);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly states: VisitorStates,
    private readonly feed: VisitorFeed,
  ) {
    feed.onEmptied((chatId) => void this.told.delete(chatId));
    states.onSent((organizationId, chat) => this.onTold(organizationId, chat));
  }

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** To be called with a state that answers a visitor's request. */
  onTold(organizationId: string, { id, queue }: ChatState): void {
    if (queue && this.feed.hasChat(id)) this.told.set(id, { organizationId, position: queue.position });
    else this.told.delete(id);
  }

  // Failures are left to the next look: nothing depends on this one.
  private async look(): Promise<void> {
    if (this.told.size === 0) return;
    const ids = [...this.told.keys()];
    const organizationIds = ids.map((id) => this.told.get(id)!.organizationId);
    const query = { name: 'queue-positions', text: FIND, values: [organizationIds, ids] };
    try {
      const { rows } = await this.pool.query<{ id: string; position: number }>(query);
      for (const { id, position } of rows) {
        const before = this.told.get(id);
        if (!before || before.position === position) continue;
        await this.states.send(before.organizationId, id);
      }
    } catch {
      // The database is away, or a chat was removed meanwhile.
    }
  }
}
