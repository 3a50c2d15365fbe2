import type { Pool } from 'pg';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';

const HAS = {
  Agent: 'SELECT FROM agents WHERE organization_id = $1 AND id = $2',
  Bot: 'SELECT FROM bots WHERE organization_id = $1 AND id = $2',
  Group: 'SELECT FROM groups WHERE organization_id = $1 AND id = $2',
  Visitor: `
    SELECT FROM visitors
    WHERE organization_id = $1 AND id = $2 AND erasing_since IS NULL AND external_id IS DISTINCT FROM ''`,
};

/** What a filter names. */
export type Subject = keyof typeof HAS;

/** Whether the organization has the subject with this id. Visitors who are being erased don't count. */
export async function hasSubject(pool: Pool, organizationId: string, subject: Subject, id: string): Promise<boolean> {
  const query = { name: `search-has-${subject}`, text: HAS[subject], values: [organizationId, id] };
  return (await pool.query(query)).rows.length > 0;
}

const SEES_VISITOR = `
  SELECT c.id FROM chats c WHERE c.organization_id = $1 AND c.visitor_id = $3 AND ${isSeen('c')} LIMIT 1`;

/** Whether the agent sees a chat of the visitor. */
export async function seesVisitor(pool: Pool, viewer: Viewer, visitorId: string): Promise<boolean> {
  const values = [viewer.organizationId, seenAs(viewer), visitorId];
  return (await pool.query({ name: 'search-sees-visitor', text: SEES_VISITOR, values })).rows.length > 0;
}
