import type { Pool } from 'pg';
import { sweepOrganizations } from '../platform/database/citus/per-organization.js';
import type { AgentKey } from './presence.queries.js';

/** Input within this time of the last one isn't written, to save statements. */
const PRECISION = `interval '20 s'`;

const NOTE_INPUT = `
  WITH before AS (
    SELECT is_away, statement_timestamp() AS now FROM agents
    WHERE organization_id = $1 AND id = $2
      AND (is_away OR active_at IS NULL OR active_at <= statement_timestamp() - ${PRECISION})
    FOR NO KEY UPDATE
  )
  UPDATE agents a SET active_at = b.now, is_away = false, presence_at = CASE WHEN b.is_away THEN b.now ELSE a.presence_at END
  FROM before b WHERE a.organization_id = $1 AND a.id = $2
  RETURNING b.is_away AS "wasAway"`;

/** Notes that an agent made an input now. Returns whether that ended AWAY. */
export async function noteInput(pool: Pool, { organizationId, agentId }: AgentKey): Promise<boolean> {
  const { rows } = await pool.query<{ wasAway: boolean }>(NOTE_INPUT, [organizationId, agentId]);
  return rows[0]?.wasAway ?? false;
}

// Starts from the connected agents of the organizations that want it. Nodes that do this at the same time skip each other's rows. It ends
// with SELECT, because a Citus cluster loses columns of locked rows that an UPDATE at the end reads.
const markIdle = (isOf: (alias: string) => string) => `
  WITH idle AS (
    SELECT a.organization_id, a.id FROM organizations o
    CROSS JOIN LATERAL (
      SELECT k.agent_id, min(k.opened_at) AS opened_at FROM agent_connections k
      WHERE k.organization_id = o.id AND ${isOf('k')} GROUP BY k.agent_id
    ) connected
    JOIN agents a ON a.organization_id = o.id AND a.id = connected.agent_id
    WHERE o.away_after_minutes > 0 AND o.deleted_at IS NULL AND ${isOf('a')} AND a.is_enabled AND a.is_accepting AND NOT a.is_away
      AND COALESCE(a.active_at, connected.opened_at) <= clock_timestamp() - make_interval(mins => o.away_after_minutes)
    FOR NO KEY UPDATE OF a SKIP LOCKED
  ), marked AS (
    UPDATE agents a SET is_away = true, presence_at = statement_timestamp() FROM idle i WHERE a.organization_id = i.organization_id AND a.id = i.id AND ${isOf('a')}
    RETURNING a.organization_id, a.id
  )
  SELECT organization_id AS "organizationId", id AS "agentId" FROM marked`;

const FIND_WITH_AWAY = 'SELECT id FROM organizations WHERE away_after_minutes > 0 AND deleted_at IS NULL';

/** Marks connected agents whose last input is too long ago as AWAY. Returns them. */
export async function markAway(pool: Pool): Promise<AgentKey[]> {
  return sweepOrganizations<AgentKey>(pool, {
    name: 'mark-away',
    text: markIdle,
    values: [],
    find: () => FIND_WITH_AWAY,
  });
}
