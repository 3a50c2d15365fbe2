import type { EntityManager } from 'typeorm';
import type { LockedChat } from '../chats/chat-transitions.queries.js';
import type { Actor } from '../auth/request-context.js';
import { newId } from '../platform/lib/ids.js';

const KEEP_HAND_OVER = `
  INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, summary, previous_agent_id,
    began_at, queued_at, on_unanswered, ended_at, outcome, agent_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 'KEEP', $10, 'MOVED', $11)`;

/**
 * Keeps that a chat went to an agent without waiting: from whom, so that routing does not give it back at once, and with which text.
 * @param summary null: none
 */
export async function keepHandOver(
  tx: EntityManager,
  organizationId: string,
  { id, groupId, agentId, now }: LockedChat,
  toAgentId: string,
  by: Actor,
  summary: string | null,
): Promise<void> {
  const values = [organizationId, newId('hof'), id, groupId, by.type, by.id, by.name, summary, agentId, now, toAgentId];
  await tx.query(KEEP_HAND_OVER, values);
}
