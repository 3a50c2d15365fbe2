import type { EntityManager } from 'typeorm';
import { idAt } from '../platform/lib/ids.js';

/** The number of organizations, or of visitors, in a page. */
const PAGE = 500;
/** The most messages of a chat that are searched for a visitor's message. The visitor of a longer chat is kept. */
const MAX_MESSAGES_READ = 1_000;

const FIND_ORGANIZATIONS = `
  SELECT id FROM organizations WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;

/** The next organizations after an id. */
export async function findOrganizations(manager: EntityManager, after: string): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_ORGANIZATIONS, [after]);
  return rows.map(({ id }) => id);
}

/** An anonymous visitor who was created before a time. */
export interface OldAnonymous {
  id: string;
  hasWritten: boolean;
  /** Whether one of their chats changed since that time, has an agent, or waits for one. */
  isAwaited: boolean;
}

// LATERAL and LIMIT make the planner look up each visitor's chats and messages by key, even if its row estimates are wrong. An empty
// chat that is QUEUED only because the organization has no bot doesn't wait for an agent.
const FIND = `
  SELECT v.id, COALESCE(c.has_spoken, false) AS "hasWritten", COALESCE(c.is_awaited, false) AS "isAwaited"
  FROM visitors v LEFT JOIN LATERAL (
    SELECT
      bool_or(c.message_count > ${MAX_MESSAGES_READ} OR (
        SELECT m.seq FROM messages m
        WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.sender_type = 'VISITOR'
        ORDER BY m.seq LIMIT 1) IS NOT NULL) AS has_spoken,
      bool_or(c.agent_id IS NOT NULL OR (c.status = 'QUEUED' AND c.message_count > 0)
        OR c.status_changed_at >= $4
        OR COALESCE(c.last_message_at, c.created_at) >= $4) AS is_awaited
    FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = v.id) c ON true
  WHERE v.organization_id = $1 AND v.id > $2 AND v.id < $3
    AND v.external_id IS NULL AND NOT v.is_kept AND v.erasing_since IS NULL
  ORDER BY v.id LIMIT ${PAGE}`;

/** The next anonymous visitors after an id who were created before a time and aren't marked as kept. */
export function findOldAnonymous(
  manager: EntityManager,
  organizationId: string,
  after: string,
  before: Date,
): Promise<OldAnonymous[]> {
  return manager.query(FIND, [organizationId, after, idAt('vis', before), before]);
}

const KEEP = `
  UPDATE visitors SET is_kept = true WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM visitors WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))`;

/** Marks visitors as kept, so that later passes skip them. */
export async function keepVisitors(manager: EntityManager, organizationId: string, ids: readonly string[]) {
  await manager.query(KEEP, [organizationId, ids]);
}

const FIND_CHATS = `SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = ANY ($2) ORDER BY id`;

export async function findChatsOf(
  manager: EntityManager,
  organizationId: string,
  visitorIds: readonly string[],
): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_CHATS, [organizationId, visitorIds]);
  return rows.map(({ id }) => id);
}
