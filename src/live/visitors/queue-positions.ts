import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import type { ChatState } from '../../chats/reading/chat-state.js';
import { sqlIsStaffed } from '../../agents/presence.queries.js';
import { MAX_COUNTED, sqlPositions } from '../../chats/reading/queue-sql.js';
import { sqlIsOpen } from '../../organizations/office-hours.queries.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { VisitorStates } from './visitor-states.js';

/** Milliseconds between two checks of the positions of waiting chats. */
const INTERVAL_MS = 2_000;

// Reads each queue once, no matter how many of its chats are in question.
const FIND = `
  WITH asked AS (
    SELECT c.organization_id, c.group_id, c.id
    FROM unnest($1::text[], $2::text[]) AS k (organization_id, id)
    JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.id
    WHERE c.status = 'QUEUED' AND c.erased_at IS NULL
  ), positions AS (
    SELECT g.organization_id, queued.id, queued.position
    FROM (SELECT DISTINCT organization_id, group_id FROM asked) g CROSS JOIN LATERAL (${sqlPositions('g')}) queued
  )
  SELECT q.id, COALESCE(p.position, ${MAX_COUNTED}) AS position, ${sqlIsOpen('g')} AS "isOpen",
    ${sqlIsStaffed('q.group_id', 'q.organization_id')} AS "isStaffed"
  FROM asked q JOIN groups g ON g.organization_id = q.organization_id AND g.id = q.group_id
  LEFT JOIN positions p ON p.organization_id = q.organization_id AND p.id = q.id`;

interface SentPosition {
  organizationId: string;
  position: number;
  isOpen: boolean;
  isStaffed: boolean;
}

/** Notifies waiting visitors whose sockets are on this node when their position changes, their group opens or closes, or its agents come or leave. */
@Injectable()
export class QueuePositions implements OnModuleInit, OnModuleDestroy {
  private readonly sent = new Map<string, SentPosition>();
  private readonly job = new PeriodicJob(() => this.check(), INTERVAL_MS);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly states: VisitorStates,
    private readonly feed: VisitorFeed,
  ) {
    feed.onEmptied((chatId) => void this.sent.delete(chatId));
    states.onSent((organizationId, chat) => this.onSent(organizationId, chat));
  }

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Call this with each state that answers a visitor's request. */
  onSent(organizationId: string, { id, queue }: ChatState): void {
    if (queue && this.feed.hasChat(id)) this.sent.set(id, { organizationId, ...queue });
    else this.sent.delete(id);
  }

  // The next run makes up for a failed one.
  private async check(): Promise<void> {
    if (this.sent.size === 0) return;
    const ids = [...this.sent.keys()];
    const organizationIds = ids.map((id) => this.sent.get(id)!.organizationId);
    const query = { name: 'queue-positions', text: FIND, values: [organizationIds, ids], failures: new Map() };
    try {
      const rows = await queryOrganizations<{ id: string } & Omit<SentPosition, 'organizationId'>>(this.pool, query);
      for (const { id, position, isOpen, isStaffed } of rows) {
        const before = this.sent.get(id);
        if (!before) continue;
        if (before.position === position && before.isOpen === isOpen && before.isStaffed === isStaffed) continue;
        await this.states.send(before.organizationId, id);
      }
    } catch {
      // The database is unreachable, or a chat was removed.
    }
  }
}
