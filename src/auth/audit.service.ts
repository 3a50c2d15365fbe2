import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { POOL } from '../platform/database/pool.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/lib/paging.js';
import type { AuditAction } from './audit-action.js';
import { AuditEntry } from './audit-entry.entity.js';
import { type AuditRow, listEntries, recordFailures } from './audit.queries.js';
import type { RequestContext } from './request-context.js';

/** The most failures to sign in that are kept of an agent and day, so that an attacker cannot fill the table. */
const MAX_FAILURES = 20;

/** Keeps who did what to agents, sessions and visitors' data, for 180 days (CONTRACT section 7). */
@Injectable()
export class AuditService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /** Records what the actor of the context did. @param tx the transaction that does it, so that both hold or none */
  async record(context: RequestContext, action: AuditAction, target: string, tx = this.manager): Promise<void> {
    const { organizationId, actor, sourceAddress } = context;
    const who = { actorType: actor.type, actorId: actor.id, actorName: actor.name };
    await tx.insert(AuditEntry, {
      organizationId,
      id: newId('aud'),
      at: new Date(),
      ...who,
      action,
      target,
      sourceAddress,
    });
  }

  /** Records that signing in as these agents failed, or was blocked: at most 20 entries of an agent, action and day. */
  recordFailures(
    agents: readonly { organizationId: string; agentId: string }[],
    action: 'session.failed' | 'session.throttled',
    sourceAddress: string,
  ): Promise<void> {
    const failures = agents.map(({ organizationId, agentId }) => ({ organizationId, agentId, id: newId('aud') }));
    return recordFailures(this.pool, failures, { at: new Date(), action, sourceAddress, limit: MAX_FAILURES });
  }

  /** The entries of an organization, the latest first. */
  async list(organizationId: string, { limit, cursor }: PageQuery): Promise<Page<AuditRow>> {
    const rows = await listEntries(this.manager, organizationId, { before: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }
}
