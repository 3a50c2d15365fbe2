import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../context/request-context.js';
import type { AuditAction } from './audit-action.js';
import type { FieldChange } from './audit-changes.js';
import { type AuditRecord, insertEntry, listEntriesOfActor, updateEntry } from './audit.queries.js';

/** The most entries of one agent, action, and day (UTC), so that an agent can't fill the table. */
const MAX_ENTRIES = 100;
/** An agent who repeats one of these actions at the same target has one entry per day. */
const REPEATABLE: ReadonlySet<AuditAction> = new Set(['visitor.blocked', 'visitor.unblocked']);

/**
 * Records what an agent did. An entry that isn't written is counted in an earlier one of the day, whose `changes` then have `times` and
 * `lastAt`: in the one about the same target if the action is repeatable, and beyond the limit in the newest one.
 */
export async function recordOfAgent(
  manager: EntityManager,
  context: RequestContext,
  record: AuditRecord,
): Promise<void> {
  const { action, target, changes = [] } = record;
  const now = new Date();
  const earlier = await listEntriesOfActor(manager, context, action, startOfDay(now), MAX_ENTRIES);
  const same = REPEATABLE.has(action) ? earlier.find((entry) => entry.target === target) : undefined;
  if (same) return updateEntry(manager, context.organizationId, same.id, repeat(moved(same.changes, changes), now));
  if (earlier.length < MAX_ENTRIES) return insertEntry(manager, context, record);
  const [newest] = earlier;
  return updateEntry(manager, context.organizationId, newest!.id, repeat(newest!.changes, now));
}

/** The beginning of the day (UTC). */
export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

// Keeps the first old value and the last new value of each field.
function moved(before: readonly FieldChange[], after: readonly FieldChange[]): FieldChange[] {
  const fields = new Map(before.map((change) => [change.field, change]));
  for (const { field, from, to } of after)
    fields.set(field, { field, from: fields.has(field) ? fields.get(field)!.from : from, to });
  return [...fields.values()];
}

function repeat(changes: readonly FieldChange[], now: Date): FieldChange[] {
  const times = Number(changes.find(({ field }) => field === 'times')?.to ?? 1) + 1;
  const others = changes.filter(({ field }) => field !== 'times' && field !== 'lastAt');
  return [...others, { field: 'times', from: 1, to: times }, { field: 'lastAt', from: null, to: now.toISOString() }];
}
