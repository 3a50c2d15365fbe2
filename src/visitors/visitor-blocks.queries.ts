import type { EntityManager } from 'typeorm';
import { jsonObject, jsonText, jsonTime } from '../platform/database/sql-json.js';
import { VISITOR_COLUMNS, type VisitorRow } from './visitors.queries.js';

/** A block that is in force, as agents see it. */
export interface VisitorBlock {
  /** Null: until an agent unblocks the visitor. */
  until: string | null;
  reason: string | null;
  /** The agent who blocked the visitor. */
  by: { id: string; name: string };
  blockedAt: string;
}

/** SQL: whether a row of `visitor_blocks` is in force. @param b its alias */
export const isInForce = (b: string) => `(${b}.until IS NULL OR ${b}.until > now())`;

const JSON_OF_BLOCK = jsonObject({
  until: jsonTime('b.until'),
  reason: jsonText('b.reason'),
  by: jsonObject({ id: jsonText('b.agent_id'), name: jsonText('b.agent_name') }),
  blockedAt: jsonTime('b.blocked_at'),
});

/** A column with the VisitorBlock of a visitor, or null. @param visitorId, organizationId expressions */
export const blockColumn = (organizationId: string, visitorId: string) => `(
  SELECT (${JSON_OF_BLOCK})::json FROM visitor_blocks b
  WHERE b.organization_id = ${organizationId} AND b.visitor_id = ${visitorId} AND ${isInForce('b')}) AS block`;

const FIND = `SELECT ${blockColumn('$1', '$2')}`;

/** The block of a visitor that is in force; null without one. */
export async function findBlock(
  manager: EntityManager,
  organizationId: string,
  visitorId: string,
): Promise<VisitorBlock | null> {
  const [row]: { block: VisitorBlock | null }[] = await manager.query(FIND, [organizationId, visitorId]);
  return row!.block;
}

/** A blocked visitor, as administrators see them. */
export interface BlockedVisitor extends VisitorRow {
  block: VisitorBlock;
}

const LIST = `
  SELECT ${VISITOR_COLUMNS}, (${JSON_OF_BLOCK})::json AS block
  FROM visitor_blocks b JOIN visitors v ON v.organization_id = b.organization_id AND v.id = b.visitor_id
  WHERE b.organization_id = $1 AND b.visitor_id > $2 AND ${isInForce('b')} AND v.erasing_since IS NULL
  ORDER BY b.visitor_id LIMIT $3`;

/** The blocked visitors, in the order of their ids. */
export function listBlocked(
  manager: EntityManager,
  organizationId: string,
  { cursor = '', limit }: { cursor?: string; limit: number },
): Promise<BlockedVisitor[]> {
  return manager.query(LIST, [organizationId, cursor, limit]);
}

const STORE = `
  WITH stored AS (
    INSERT INTO visitor_blocks AS b (organization_id, visitor_id, until, reason, agent_id, agent_name, blocked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (organization_id, visitor_id) DO UPDATE SET until = excluded.until, reason = excluded.reason,
      agent_id = excluded.agent_id, agent_name = excluded.agent_name, blocked_at = excluded.blocked_at
    RETURNING *
  )
  SELECT (${JSON_OF_BLOCK})::json AS block FROM stored b`;

/** Blocks a visitor, or replaces the block. */
export async function storeBlock(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
  { until, reason }: { until: Date | null; reason: string | null },
  agent: { agentId: string; name: string },
): Promise<VisitorBlock> {
  const values = [organizationId, visitorId, until, reason, agent.agentId, agent.name, new Date()];
  const [row]: { block: VisitorBlock }[] = await tx.query(STORE, values);
  return row!.block;
}

const REMOVE = 'DELETE FROM visitor_blocks WHERE organization_id = $1 AND visitor_id = $2';

/** Removes a visitor's block, if there is one. */
export async function removeBlock(tx: EntityManager, organizationId: string, visitorId: string): Promise<void> {
  await tx.query(REMOVE, [organizationId, visitorId]);
}
