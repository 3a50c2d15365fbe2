import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import { startOfDay } from './agent-entries.js';
import type { AuditAction } from './audit-action.js';
import { insertEntry, listEntriesOfActor } from './audit.queries.js';

/** The most entries that a node remembers, so that most reads ask the database nothing. */
const MAX_REMEMBERED = 10_000;

/** Records that an actor read lists of an organization: one entry for each actor, action, and day (UTC). Nodes may add one each. */
@Injectable()
export class DailyReads {
  private readonly remembered = new Set<string>();
  private day = 0;

  constructor(private readonly manager: EntityManager) {}

  async record(context: RequestContext, action: AuditAction): Promise<void> {
    const { organizationId, actor } = context;
    const since = startOfDay(new Date());
    const key = `${organizationId} ${action} ${actor.id ?? actor.type}`;
    if (this.isRemembered(key, since.getTime())) return;
    const earlier = await listEntriesOfActor(this.manager, context, action, since, 1);
    if (earlier.length === 0) await insertEntry(this.manager, context, { action, target: organizationId });
    if (this.remembered.size < MAX_REMEMBERED) this.remembered.add(key);
  }

  private isRemembered(key: string, day: number): boolean {
    if (day !== this.day) this.remembered.clear();
    this.day = day;
    return this.remembered.has(key);
  }
}
