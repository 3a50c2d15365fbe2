import type { Pool } from 'pg';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import { dueInTurn } from '../../platform/database/due-rows.js';
import type { ConversationRemoval } from './conversation-removal.entity.js';

/** The most removals of a pass. */
const PAGE = 50;

/** A conversation that an endpoint is to remove. */
export type Removal = Omit<ConversationRemoval, 'dueAt'>;

const columns = `r.organization_id AS "organizationId", r.id, r.bot_id AS "botId", r.connection_id AS "connectionId",
    r.remote_id AS "remoteId", r.remote_user AS "remoteUser", r.tries, r.created_at AS "createdAt"`;
const due = (isOf: IsOf) => dueInTurn({ table: 'conversation_removals', columns, limit: PAGE }, isOf);

/** The removals that are due, one of each organization in turn. */
export function findDueRemovals(pool: Pool): Promise<Removal[]> {
  return queryEverywhere<Removal>(pool, { name: 'find-due-conversation-removals', text: due, values: [] });
}

const TAKE = `
  UPDATE conversation_removals SET tries = tries + 1, due_at = statement_timestamp() + make_interval(secs => $4)
  WHERE organization_id = $1 AND id = $2 AND tries = $3`;

/** Takes a removal, so that no other node does. Returns whether it was free. @param seconds until it's due again */
export async function takeRemoval(
  pool: Pool,
  { organizationId, id, tries }: Removal,
  seconds: number,
): Promise<boolean> {
  const values = [organizationId, id, tries, seconds];
  const { rowCount } = await pool.query({ name: 'take-conversation-removal', text: TAKE, values });
  return rowCount === 1;
}

const DELETE = 'DELETE FROM conversation_removals WHERE organization_id = $1 AND id = $2';

export async function deleteRemoval(pool: Pool, { organizationId, id }: Removal): Promise<void> {
  await pool.query({ name: 'delete-conversation-removal', text: DELETE, values: [organizationId, id] });
}
