import type { EntityManager } from 'typeorm';
import { idAt } from '../platform/lib/ids.js';

/** Organizations, or visitors, that are looked at together. */
const PAGE = 500;
/** Messages of a chat that are looked through for one of its visitor; who has a longer chat stays. */
const MAX_LOOK = 1_000;

const FIND_ORGANIZATIONS = `
  SELECT id FROM organizations WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;

/** The next organizations after an id. */
export async function findOrganizations(manager: EntityManager, after: string): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_ORGANIZATIONS, [after]);
  return rows.map(({ id }) => id);
}

/** An anonymous visitor who came before a time. */
export interface OldAnonymous {
  id: string;
  hasSpoken: boolean;
  /** Something happened in a chat of theirs since that time, or an agent has one or is to have one. */
  isAwaited: boolean;
}

// LATERAL and LIMIT, so that each visitor's chats, and their messages, are looked up by key whatever the planner thinks
// of their number. A chat that is QUEUED because the organization has no bot, and is empty, waits for nothing.
const FIND = `
  SELECT v.id, COALESCE(c.has_spoken, false) AS "hasSpoken", COALESCE(c.is_awaited, false) AS "isAwaited"
  FROM visitors v LEFT JOIN LATERAL (
    SELECT
      bool_or(c.message_count > ${MAX_LOOK} OR (
        SELECT m.seq FROM messages m
        WHERE m.organization_id = c.organization_id AND m.chat_id = c.id AND m.sender_type = 'VISITOR'
        ORDER BY m.seq LIMIT 1) IS NOT NULL) AS has_spoken,
      bool_or(c.agent_id IS NOT NULL OR (c.status = 'QUEUED' AND c.message_count > 0)
        OR c.status_changed_at >= $4
        OR COALESCE(c.last_message_at, c.created_at) >= $4) AS is_awaited
    FROM chats c WHERE c.organization_id = v.organization_id AND c.visitor_id = v.id) c ON true
  WHERE v.organization_id = $1 AND v.id > $2 AND v.id < $3
    AND v.external_id IS NULL AND NOT v.is_kept AND v.erasing_since IS NULL
  ORDER BY v.id LIMIT ${PAGE}`;

/** The next anonymous visitors after an id who came before a time, but for those who are known to stay. */
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

/** Notes down that these visitors stay: nobody looks at them again. */
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
