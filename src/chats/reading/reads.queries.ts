import type { EntityManager } from 'typeorm';
import { isDistributed } from '../../platform/database/citus/per-organization.js';
import { poolOf } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import type { Side } from '../model/chat-read.entity.js';

const readBy = (side: Side) => `COALESCE((
  SELECT r.seq FROM chat_reads r WHERE r.organization_id = $1 AND r.chat_id = c.id AND r.side = '${side}'), 0)`;

/** The read marks of the visitor and the organization in the chat `c`. */
export const READ_COLUMNS = `${readBy('visitor')} AS "readByVisitor", ${readBy('organization')} AS "readByOrganization"`;
/** The agents' read mark in the chat `c`. */
export const READ_BY_AGENTS = readBy('agents');

export interface ReadRow {
  readByVisitor: number;
  readByOrganization: number;
}

// A lower mark changes nothing, even with concurrent requests: the row decides.
const ADVANCE = `
  INSERT INTO chat_reads AS r (organization_id, chat_id, side, seq, updated_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (organization_id, chat_id, side) DO UPDATE SET seq = excluded.seq, updated_at = excluded.updated_at
    WHERE r.seq < excluded.seq
  RETURNING seq`;

/** Raises a side's mark. Returns false if it is already as high. */
export async function advanceRead(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  side: Side,
  seq: number,
): Promise<boolean> {
  const rows: unknown[] = await manager.query(ADVANCE, [organizationId, chatId, side, seq, new Date()]);
  return rows.length > 0;
}

const FIND = `SELECT ${READ_COLUMNS}, ${READ_BY_AGENTS} AS "readByAgents" FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

/** The marks of all sides; null for an unknown chat. */
export async function findReads(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<(ReadRow & { readByAgents: number }) | null> {
  const rows: (ReadRow & { readByAgents: number })[] = await manager.query(FIND, [organizationId, chatId]);
  return rows[0] ?? null;
}

// Locks the chat before its marks, as erasing does. The agents' mark also raises the organization's.
const LOCK_UNREAD = `
    SELECT c.id FROM chats c
    WHERE c.organization_id = $1 AND c.id = $2 AND c.erased_at IS NULL AND ${READ_BY_AGENTS} < $3::integer
    FOR NO KEY UPDATE`;
const COUNT_CHANGE = 'UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $2';
const ADVANCE_BY_AGENTS = `
  WITH chat AS MATERIALIZED (${LOCK_UNREAD}
  ), marked AS (
    INSERT INTO chat_reads AS r (organization_id, chat_id, side, seq, updated_at)
    SELECT $1, chat.id, s.side, $3, $4::timestamptz FROM chat CROSS JOIN (VALUES ('agents'), ('organization')) AS s (side)
    ON CONFLICT (organization_id, chat_id, side) DO UPDATE SET seq = excluded.seq, updated_at = excluded.updated_at
      WHERE r.seq < excluded.seq
    RETURNING r.side
  )
  ${COUNT_CHANGE} AND EXISTS (SELECT FROM marked WHERE side = 'agents')`;

/** Raises the agents' mark, and with it the organization's. Returns false if it is already as high. */
export async function advanceReadByAgents(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  seq: number,
): Promise<boolean> {
  if (isDistributed(poolOf(manager.connection)))
    return transaction(manager, (tx) => advanceOnCluster(tx, organizationId, chatId, seq));
  const [, count] = (await manager.query(ADVANCE_BY_AGENTS, [organizationId, chatId, seq, new Date()])) as [
    unknown,
    number,
  ];
  return count > 0;
}

// A Citus cluster sends what an INSERT reads from WITH to all workers, so it fails while one of them is down.
async function advanceOnCluster(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  seq: number,
): Promise<boolean> {
  const chats: unknown[] = await tx.query(LOCK_UNREAD, [organizationId, chatId, seq]);
  if (chats.length === 0) return false;
  await advanceRead(tx, organizationId, chatId, 'organization', seq);
  if (!(await advanceRead(tx, organizationId, chatId, 'agents', seq))) return false;
  await tx.query(COUNT_CHANGE, [organizationId, chatId]);
  return true;
}
