import type { EntityManager } from 'typeorm';
import { queryNamed } from '../../platform/database/transaction.js';
import type { RunningHandoff } from './chat-transitions.queries.js';

/** The state that a chat had when it ended. */
export interface ChatEnd {
  endedAt: Date;
  /** The agent who had it. The agent may have been removed. */
  agentId: string | null;
  /** The hand-off that the end ended. */
  handoff: EndedHandoff | null;
  isSnoozed: boolean;
  /** Null: until the visitor writes. */
  snoozedUntil: Date | null;
}

export interface EndedHandoff {
  id: string;
  queuedAt: Date;
}

// The hand-off that ended, or the agent who left, has the time when the chat ended.
const FIND_END = `
  SELECT c.status_changed_at AS "endedAt", h.id AS "handoffId", h.queued_at AS "queuedAt",
    CASE WHEN h.id IS NULL AND c.agent_left_at = c.status_changed_at THEN c.last_agent_id END AS "agentId",
    c.ended_snooze_until IS NOT NULL AS "isSnoozed", NULLIF(c.ended_snooze_until, 'infinity') AS "snoozedUntil"
  FROM chats c
  LEFT JOIN LATERAL (
    SELECT l.id, l.queued_at, l.ended_at, l.outcome FROM handoffs l
    WHERE l.organization_id = $1 AND l.chat_id = c.id ORDER BY l.id DESC LIMIT 1
  ) h ON h.outcome = 'CLOSED' AND h.ended_at = c.status_changed_at
  WHERE c.organization_id = $1 AND c.id = $2`;

interface EndRow extends Omit<ChatEnd, 'handoff'> {
  handoffId: string | null;
  queuedAt: Date;
}

/** The state that an ended chat had when it ended. The chat's row is locked. */
export async function findEnd(tx: EntityManager, organizationId: string, chatId: string): Promise<ChatEnd> {
  const query = { name: 'find-end', text: FIND_END, values: [organizationId, chatId] };
  const [row] = await queryNamed<EndRow>(tx, query);
  const { handoffId, queuedAt, ...end } = row!;
  return { ...end, handoff: handoffId === null ? null : { id: handoffId, queuedAt } };
}

// The running hand-off of a chat that its visitor has reopened doesn't count. One that a bot or an agent has begun does.
const FIND_LAST_ENDED = `
  SELECT l.id, l.queued_at AS "queuedAt" FROM (
    SELECT id, queued_at, outcome, ended_at FROM handoffs
    WHERE organization_id = $1 AND chat_id = $2 AND (ended_at IS NOT NULL OR by_type <> 'VISITOR') ORDER BY id DESC LIMIT 1
  ) l WHERE l.outcome = 'CLOSED' AND l.ended_at > $3`;

/**
 * The hand-off that ended with its chat, if that was after this time, and there's no later one but the visitor's own. For a chat that is
 * open again.
 */
export async function findClosedHandoff(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  after: Date,
): Promise<EndedHandoff | null> {
  const rows: EndedHandoff[] = await tx.query(FIND_LAST_ENDED, [organizationId, chatId, after]);
  return rows[0] ?? null;
}

const RESUME_HANDOFF = `
  UPDATE handoffs SET ended_at = NULL, outcome = NULL, group_id = $3 WHERE organization_id = $1 AND id = $2
  RETURNING id, began_at AS "beganAt", queued_at AS "queuedAt", due_at AS "dueAt", on_unanswered AS "onUnanswered",
    unanswered_at AS "unansweredAt"`;

/** Lets the hand-off that ended with its chat continue, with the same deadline. @param groupId the chat's group now */
export async function resumeHandoff(
  tx: EntityManager,
  organizationId: string,
  id: string,
  groupId: string,
): Promise<RunningHandoff> {
  const query = { name: 'resume-handoff', text: RESUME_HANDOFF, values: [organizationId, id, groupId] };
  const [handoff] = await queryNamed<RunningHandoff>(tx, query);
  return handoff!;
}

const RESTORE_WAIT = `
  UPDATE chats SET waiting_since = (
    SELECT m.created_at FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.sender_type = 'VISITOR' AND m.seq > COALESCE((
      SELECT a.seq FROM messages a WHERE a.organization_id = $1 AND a.chat_id = $2 AND a.sender_type IN ('BOT', 'AGENT')
      ORDER BY a.seq DESC LIMIT 1), 0)
    ORDER BY m.seq LIMIT 1)
  WHERE organization_id = $1 AND id = $2`;

/** Finds since when the visitor of a reopened chat waits for an answer. The end of the chat removed that time. */
export async function restoreWait(tx: EntityManager, organizationId: string, chatId: string): Promise<void> {
  await queryNamed(tx, { name: 'restore-wait', text: RESTORE_WAIT, values: [organizationId, chatId] });
}
