import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { ChangeHooks } from '../../platform/database/change-hooks.js';
import { HeavyReads } from '../../platform/database/pools/heavy-reads.js';
import { POOL } from '../../platform/database/pool.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import { recordOfAgent } from './agent-entries.js';
import type { AuditAction, AuditedKind } from './audit-action.js';
import { byAction, changesBetween, type FieldChange } from './audit-changes.js';
import {
  type AuditFilter,
  type AuditRecord,
  type AuditRow,
  type FailureAction,
  insertEntry,
  listEntries,
  recordFailures,
} from './audit.queries.js';
import { type RequestContext, systemContext } from '../context/request-context.js';

/** The most failures to sign in that are recorded per agent and day, so that an attacker can't fill the table. */
const MAX_RECORDED_FAILURES = 20;

/** The most entries of an export, and of one of its pages: a client that reads slowly keeps a page in memory. */
const MAX_EXPORTED = 100_000;
const EXPORT_PAGE_SIZE = 100;

/** A kind of thing whose changes are recorded. */
export interface Subject<R> {
  kind: AuditedKind;
  /** The response for a row, without secrets. Its version and the recorded changes are derived from it. */
  view(row: R): object;
  identify(row: R, context: RequestContext): { id: string; name: string | null };
}

/** A changed thing, as responses show it before and after. */
export interface Changed {
  kind: AuditedKind;
  id: string;
  name: string | null;
  before: object | null;
  after: object | null;
}

/** Records who changed what, who signed in, and who exported or erased visitors. Entries stay 180 days (CONTRACT: Audit log). */
@Injectable()
export class AuditService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly heavy: HeavyReads,
  ) {}

  /** Records what the context's actor did, of an agent at most 100 entries per action and day. @param tx the transaction of the action, so that both are stored or neither */
  record(context: RequestContext, record: AuditRecord, tx = this.manager): Promise<void> {
    return context.actor.type === 'AGENT' ? recordOfAgent(tx, context, record) : insertEntry(tx, context, record);
  }

  /**
   * Records the differences between two views of a thing, if there are any.
   * @param before null if it was added
   * @param after null if it was removed
   */
  async recordChange(tx: EntityManager, context: RequestContext, changed: Changed): Promise<void> {
    const { kind, id: target, name: targetName, before, after } = changed;
    const changes = changesBetween(before, after);
    const whole = before === null ? 'created' : kind === 'token' ? 'revoked' : 'deleted';
    const entries: [AuditAction, FieldChange[]][] =
      before && after ? byAction(kind, changes) : [[`${kind}.${whole}` as AuditAction, changes]];
    for (const [action, some] of entries) await this.record(context, { action, target, targetName, changes: some }, tx);
  }

  /** Hooks for changes of this kind of thing: they check `If-Match` and write the log entry. */
  hooks<R>(context: RequestContext, subject: Subject<R>, precondition: Precondition | null = null): ChangeHooks<R> {
    const viewOf = (row: R | null) => (row === null ? null : subject.view(row));
    return {
      before: (row) => precondition?.check(subject.view(row)),
      record: (tx, before, after) => {
        const { id, name } = subject.identify((after ?? before)!, context);
        const views = { before: viewOf(before), after: viewOf(after) };
        return this.recordChange(tx, context, { kind: subject.kind, id, name, ...views });
      },
    };
  }

  /** Hooks that record an action at a thing as a whole, without its fields. */
  hooksOf<R extends { id: string; name: string | null }>(
    context: RequestContext,
    action: AuditAction,
  ): Pick<ChangeHooks<R>, 'record'> {
    return {
      record: (tx, before, after) => {
        const { id: target, name: targetName } = (after ?? before)!;
        return this.record(context, { action, target, targetName }, tx);
      },
    };
  }

  /** Records that an erasure has ended, under the name of the actor who began it. */
  async recordErased(tx: EntityManager, organizationId: string, visitorId: string): Promise<void> {
    const began = { action: 'visitor.erasure_began', target: visitorId, limit: 1 } as const;
    const [entry] = await listEntries(tx, organizationId, began);
    const context = systemContext(organizationId);
    const { actor, sourceAddress } = entry ?? context;
    await insertEntry(tx, { ...context, actor, sourceAddress }, { action: 'visitor.erased', target: visitorId });
  }

  /** Records that signing in as these agents failed or was blocked, or that the current password was wrong, at most 20 entries per agent, action, and day. */
  recordFailures(
    agents: readonly { organizationId: string; agentId: string }[],
    action: FailureAction,
    sourceAddress: string,
  ): Promise<void> {
    const failures = agents.map(({ organizationId, agentId }) => ({ organizationId, agentId, id: newId('aud') }));
    return recordFailures(this.pool, failures, { at: new Date(), action, sourceAddress, limit: MAX_RECORDED_FAILURES });
  }

  /** The entries of an organization, newest first. */
  async list(organizationId: string, { limit, cursor, ...filter }: PageQuery & AuditFilter): Promise<Page<AuditRow>> {
    const rows = await listEntries(this.manager, organizationId, { ...filter, before: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }

  /** Up to 100,000 entries, in pages. */
  async *pages(organizationId: string, filter: AuditFilter): AsyncGenerator<AuditRow[], void> {
    let before: string | undefined;
    for (let left = MAX_EXPORTED; left > 0; left -= EXPORT_PAGE_SIZE) {
      const page = { ...filter, before, limit: EXPORT_PAGE_SIZE };
      const rows = await this.heavy.run(organizationId, () => listEntries(this.manager, organizationId, page));
      yield rows;
      if (rows.length < EXPORT_PAGE_SIZE) return;
      before = rows.at(-1)!.id;
    }
  }
}
