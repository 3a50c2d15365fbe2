import type { EntityManager } from 'typeorm';
import type { HandoffRequest } from '../chats/model/handoff.entity.js';
import type { LockedChat, RunningHandoff } from '../chats/moves/chat-transitions.queries.js';
import type { Actor } from '../auth/context/request-context.js';
import { queryNamed } from '../platform/database/transaction.js';
import { newId } from '../platform/lib/ids.js';

const INSERT_DIRECT_HANDOFF = `
  INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, summary, previous_agent_id,
    began_at, queued_at, on_unanswered, ended_at, outcome, agent_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 'KEEP', $10, 'MOVED', $11)`;

/**
 * Records that a chat went to an agent without waiting: the previous agent, so that routing doesn't return it immediately, and
 * the text.
 */
export async function insertDirectHandoff(
  tx: EntityManager,
  organizationId: string,
  { id, groupId, agentId, now }: LockedChat,
  toAgentId: string,
  by: Actor,
  summary: string | null,
): Promise<void> {
  const values = [organizationId, newId('hof'), id, groupId, by.type, by.id, by.name, summary, agentId, now, toAgentId];
  await queryNamed(tx, { name: 'insert-direct-handoff', text: INSERT_DIRECT_HANDOFF, values });
}

// Omitted members stay. The wait counts from the first request, so repeating it doesn't extend the wait. A time-out that has
// fired fires again if the new deadline is in the future.
const REPLACE_REQUEST = `
  WITH given AS (
    SELECT COALESCE($3, h.reason) AS reason, COALESCE($4, h.summary) AS summary, COALESCE($8::jsonb, h.cause) AS cause,
      CASE WHEN $5::integer IS NULL THEN h.due_at ELSE h.began_at + make_interval(secs => NULLIF($5, 0)) END AS due_at,
      COALESCE($6, h.on_unanswered) AS on_unanswered
    FROM handoffs h WHERE h.organization_id = $1 AND h.id = $2
  )
  UPDATE handoffs h SET reason = g.reason, summary = g.summary, cause = g.cause, due_at = g.due_at,
    on_unanswered = g.on_unanswered,
    unanswered_at = CASE WHEN g.due_at > $7 THEN NULL ELSE h.unanswered_at END
  FROM given g
  WHERE h.organization_id = $1 AND h.id = $2
    AND (h.reason, h.summary, h.cause, h.due_at, h.on_unanswered)
      IS DISTINCT FROM (g.reason, g.summary, g.cause, g.due_at, g.on_unanswered)
  RETURNING h.due_at AS "dueAt", h.on_unanswered AS "onUnanswered", h.unanswered_at AS "unansweredAt"`;

/** The time-out of a hand-off. */
type Timeout = Pick<RunningHandoff, 'dueAt' | 'onUnanswered' | 'unansweredAt'>;

/**
 * Replaces the request of the hand-off's start. Returns the new time-out; null if nothing changed.
 * @param now the database's time when the chat was locked
 */
export async function replaceRequest(
  tx: EntityManager,
  organizationId: string,
  handoffId: string,
  { reason, summary, cause, maxWaitSeconds, onUnanswered }: Omit<HandoffRequest, 'groupId'>,
  now: Date,
): Promise<Timeout | null> {
  const values = [organizationId, handoffId, reason, summary, maxWaitSeconds, onUnanswered, now, cause];
  const [rows] = (await tx.query(REPLACE_REQUEST, values)) as [Timeout[], number];
  return rows[0] ?? null;
}

// No agent gets a chat, or gets it back, without a system message.
const HAS_MOVED = `
  SELECT FROM messages WHERE organization_id = $1 AND chat_id = $2 AND seq > $3 AND sender_type = 'SYSTEM' LIMIT 1`;

/** Whether the agent of a locked chat got it after one of its messages. */
export async function hasMovedSince(
  tx: EntityManager,
  organizationId: string,
  { id }: LockedChat,
  seq: number,
): Promise<boolean> {
  const query = { name: 'has-moved-since', text: HAS_MOVED, values: [organizationId, id, seq] };
  return (await queryNamed(tx, query)).length > 0;
}

const INSERT_PERSON_REQUEST = `
  INSERT INTO person_requests (organization_id, chat_id, after_seq, requested_at, due_at)
  SELECT c.organization_id, c.id, c.message_count, $3, $4 FROM chats c WHERE c.organization_id = $1 AND c.id = $2
  ON CONFLICT DO NOTHING RETURNING chat_id`;

/** Stores that a visitor asked for a person; false if that's stored already. */
export async function insertPersonRequest(
  tx: EntityManager,
  organizationId: string,
  { id, now }: LockedChat,
  dueAt: Date,
): Promise<boolean> {
  const rows: unknown[] = await tx.query(INSERT_PERSON_REQUEST, [organizationId, id, now, dueAt]);
  return rows.length > 0;
}

const FIND_PERSON_REQUEST = `
  SELECT c.group_id AS "groupId", v.id AS "visitorId", v.name AS "visitorName", r.requested_at AS "requestedAt",
    r.due_at <= clock_timestamp() AS "isDue", EXISTS (
    SELECT FROM messages m WHERE m.organization_id = $1 AND m.chat_id = r.chat_id AND m.seq > r.after_seq
      AND m.sender_type = 'BOT'
  ) OR EXISTS (
    SELECT FROM handoffs h WHERE h.organization_id = $1 AND h.chat_id = r.chat_id AND h.began_at >= r.requested_at
  ) AS "isAnswered"
  FROM person_requests r
  JOIN chats c ON c.organization_id = r.organization_id AND c.id = r.chat_id
  JOIN visitors v ON v.organization_id = c.organization_id AND v.id = c.visitor_id
  WHERE r.organization_id = $1 AND r.chat_id = $2`;

/** A visitor's request for a person. */
export interface FoundPersonRequest {
  groupId: string;
  visitorId: string;
  visitorName: string | null;
  requestedAt: Date;
  isDue: boolean;
  /** Whether a bot has written since, or the chat was transferred. */
  isAnswered: boolean;
}

export async function findPersonRequest(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<FoundPersonRequest | null> {
  const rows: FoundPersonRequest[] = await manager.query(FIND_PERSON_REQUEST, [organizationId, chatId]);
  return rows[0] ?? null;
}

/** Removes a request, but not a later one in the same chat. */
export async function removePersonRequest(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  requestedAt: Date,
): Promise<void> {
  await manager.query('DELETE FROM person_requests WHERE organization_id = $1 AND chat_id = $2 AND requested_at = $3', [
    organizationId,
    chatId,
    requestedAt,
  ]);
}
