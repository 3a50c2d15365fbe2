import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { blockColumn, isInForce, type VisitorBlock } from '../../visitors/visitor-blocks.queries.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';

// Whether the token of a visitor `v` of an organization `o` is valid.
const isValid = (
  organizationId: string,
  tokenId: string,
) => `v.erasing_since IS NULL AND o.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM ended_visitor_tokens e WHERE e.organization_id = ${organizationId} AND e.token_id = ${tokenId})`;

const FIND_VISITOR = `
  SELECT o.allowed_origins AS "allowedOrigins", v.external_id IS NULL AS "isAnonymous", ${blockColumn('$1', 'v.id')}
  FROM visitors v JOIN organizations o ON o.id = v.organization_id
  WHERE v.organization_id = $1 AND v.id = $2 AND ${isValid('$1', '$3')}`;

/** A visitor's token and its owner. */
export interface Session {
  organizationId: string;
  visitorId: string;
  tokenId: string;
}

/** The visitor of a token. */
export interface SessionVisitor {
  /** The origins that may use the token; empty: any. */
  allowedOrigins: string[];
  isAnonymous: boolean;
  block: VisitorBlock | null;
}

/** The visitor of a token; null if the token ended or its visitor was deleted. */
export async function findVisitor(manager: EntityManager, session: Session): Promise<SessionVisitor | null> {
  const { organizationId, visitorId, tokenId } = session;
  const rows: SessionVisitor[] = await manager.query(FIND_VISITOR, [organizationId, visitorId, tokenId]);
  return rows[0] ?? null;
}

// Looks up each session by index: OFFSET 0 keeps the planner from rewriting this to a scan of the whole table. Compares
// the origin as checkOrigin does.
const FIND_ENDED = `
  SELECT ordinal::integer FROM (
    SELECT k.ordinal, (
      SELECT cardinality(o.allowed_origins) = 0 OR k.origin IS NULL OR k.origin = ANY (o.allowed_origins)
      FROM visitors v JOIN organizations o ON o.id = v.organization_id
      WHERE v.organization_id = k.organization_id AND v.id = k.visitor_id AND ${isValid('k.organization_id', 'k.token_id')}
        AND NOT EXISTS (SELECT FROM visitor_blocks b
          WHERE b.organization_id = k.organization_id AND b.visitor_id = v.id AND ${isInForce('b')})
    ) AS "isUsable"
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
      AS k (organization_id, visitor_id, token_id, origin, ordinal)
    OFFSET 0
  ) AS session
  WHERE "isUsable" IS NOT TRUE`;

/** The indexes of sessions that are no longer valid, or whose origin is no longer allowed. It leaves out the organizations of a worker that's down. */
export async function findEnded(
  pool: Pool,
  sessions: readonly (Session & { origin: string | undefined })[],
): Promise<number[]> {
  const values = [
    sessions.map(({ organizationId }) => organizationId),
    sessions.map(({ visitorId }) => visitorId),
    sessions.map(({ tokenId }) => tokenId),
    sessions.map(({ origin }) => origin),
  ];
  const query = { name: 'find-ended-sessions', text: FIND_ENDED, values, failures: new Map(), sharesShards: true };
  const rows = await queryOrganizations<{ ordinal: number }>(pool, query);
  return rows.map(({ ordinal }) => ordinal - 1);
}

// Writes an existing row again, so that a repeated request waits for the replica too.
const INSERT_ENDED = `
  INSERT INTO ended_visitor_tokens (organization_id, token_id, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (organization_id, token_id) DO UPDATE SET expires_at = excluded.expires_at`;

export async function insertEnded(pool: Pool, organizationId: string, tokenId: string, expiresAt: Date): Promise<void> {
  await pool.query(INSERT_ENDED, [organizationId, tokenId, expiresAt]);
}
