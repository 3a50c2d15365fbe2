import type { Pool } from 'pg';

/** The session of an open socket of an agent. */
export interface OpenSession {
  organizationId: string;
  agentId: string;
  sessionId: string;
}

/** Why a session of an agent ended (CONTRACT section 7). */
export type SessionEnd = 'SIGNED_OUT' | 'EXPIRED' | 'PASSWORD_CHANGED' | 'DISABLED' | 'DELETED';

// A socket that is open is use, so only the end of the session counts here, not the time without use.
const CHECK = `
  SELECT place::integer, reason FROM (
    SELECT k.place, CASE
        WHEN a.id IS NULL OR o.deleted_at IS NOT NULL THEN 'DELETED'
        WHEN NOT a.is_enabled THEN 'DISABLED'
        WHEN s.id IS NULL THEN 'SIGNED_OUT'
        WHEN s.expires_at <= clock_timestamp() THEN 'EXPIRED'
      END AS reason
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS k (organization_id, agent_id, session_id, place)
    LEFT JOIN organizations o ON o.id = k.organization_id
    LEFT JOIN agents a ON a.organization_id = k.organization_id AND a.id = k.agent_id
    LEFT JOIN agent_sessions s
      ON s.organization_id = k.organization_id AND s.id = k.session_id AND s.agent_id = k.agent_id
  ) AS session
  WHERE reason IS NOT NULL`;

/** The places in the list of the sessions that have ended, and why. */
export async function findEndedAgentSessions(
  pool: Pool,
  sessions: readonly OpenSession[],
): Promise<{ place: number; reason: SessionEnd }[]> {
  const values = [
    sessions.map(({ organizationId }) => organizationId),
    sessions.map(({ agentId }) => agentId),
    sessions.map(({ sessionId }) => sessionId),
  ];
  const query = { name: 'find-ended-agent-sessions', text: CHECK, values };
  const { rows } = await pool.query<{ place: number; reason: SessionEnd }>(query);
  return rows.map(({ place, reason }) => ({ place: place - 1, reason }));
}

const USE = `
  UPDATE agent_sessions s SET last_used_at = clock_timestamp()
  FROM unnest($1::text[], $2::text[]) AS k (organization_id, id)
  WHERE s.organization_id = k.organization_id AND s.id = k.id AND s.last_used_at < clock_timestamp() - interval '1 minute'`;

/** Records that these sessions are in use, to a minute. */
export async function useAgentSessions(pool: Pool, sessions: readonly OpenSession[]): Promise<void> {
  const distinct = new Map(sessions.map((session) => [session.sessionId, session]));
  const rows = [...distinct.values()].toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
  await pool.query(USE, [rows.map(({ organizationId }) => organizationId), rows.map(({ sessionId }) => sessionId)]);
}
