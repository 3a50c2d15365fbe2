import type { EntityManager } from 'typeorm';
import { sqlIsConnected, sqlLastOnlineAt } from '../../agents/presence.queries.js';

/** The kinds of mails to agents who are offline. */
export type OfflineKind = 'assigned' | 'mentioned';

/** An agent who has no page open and wants mails then. */
export interface OfflineAgent {
  email: string;
  hasPush: boolean;
  /** How many mails of these kinds were queued since a time. */
  count: number;
}

const FIND = `
  SELECT a.email,
    EXISTS (SELECT FROM push_subscriptions p WHERE p.organization_id = $1 AND p.agent_id = a.id) AS "hasPush",
    (SELECT count(*)::integer FROM mails m WHERE m.organization_id = $1 AND m.agent_id = a.id AND m.created_at > $3
      AND m.kind IN ('assigned', 'mentioned')) AS count
  FROM agents a
  WHERE a.organization_id = $1 AND a.id = $2 AND a.is_enabled AND a.mail_when_away AND NOT ${sqlIsConnected('a', '$1')}`;

/** Null: the agent has a page open, or wants no mails. */
export async function findOfflineAgent(
  manager: EntityManager,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  since: Date,
): Promise<OfflineAgent | null> {
  const rows: OfflineAgent[] = await manager.query(FIND, [organizationId, agentId, since]);
  return rows[0] ?? null;
}

const FIND_STATE = `
  SELECT a.email, v.name AS "visitorName", c.agent_id IS NOT DISTINCT FROM a.id AND c.status = 'ACTIVE' AS "isAssigned",
    EXISTS (SELECT FROM note_mentions n
      WHERE n.organization_id = $1 AND n.agent_id = a.id AND n.chat_id = c.id AND n.seen_at IS NULL) AS "isMentioned",
    a.is_enabled AND a.mail_when_away AS "isWanted", ${sqlIsConnected('a', '$1')} AS "isConnected",
    COALESCE(${sqlLastOnlineAt('a', '$1')} > $4, false) AS "wasOnline"
  FROM agents a JOIN chats c ON c.organization_id = $1 AND c.id = $3 AND c.erased_at IS NULL
  JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  WHERE a.organization_id = $1 AND a.id = $2`;

/** What a mail to an agent who is offline depends on. */
export interface OfflineState {
  email: string;
  visitorName: string | null;
  isAssigned: boolean;
  /** Whether a note about the chat mentions the agent, who hasn't seen it. */
  isMentioned: boolean;
  isWanted: boolean;
  isConnected: boolean;
  /** Whether the agent was connected since the mail was queued. */
  wasOnline: boolean;
}

/** Null: the agent was deleted, or the chat erased. @param queuedAt when the mail was queued */
export async function findOfflineState(
  manager: EntityManager,
  { organizationId, agentId, chatId }: { organizationId: string; agentId: string | null; chatId: string | null },
  queuedAt: Date,
): Promise<OfflineState | null> {
  const rows: OfflineState[] = await manager.query(FIND_STATE, [organizationId, agentId, chatId, queuedAt]);
  return rows[0] ?? null;
}
