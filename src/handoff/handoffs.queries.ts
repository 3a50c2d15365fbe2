import type { EntityManager } from 'typeorm';
import type { LockedChat } from '../chats/chat-transitions.queries.js';
import type { Actor } from '../auth/request-context.js';
import { newId } from '../platform/lib/ids.js';

const KEEP_SUMMARY = `
  INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, summary, previous_agent_id,
    began_at, queued_at, on_unanswered, ended_at, outcome, agent_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 'KEEP', $10, 'MOVED', $11)`;

/** Keeps the text that comes with a chat which goes from one agent to another without waiting. */
export async function keepSummary(
  tx: EntityManager,
  organizationId: string,
  { id, groupId, agentId, now }: LockedChat,
  toAgentId: string,
  by: Actor,
  summary: string,
): Promise<void> {
  const values = [organizationId, newId('hof'), id, groupId, by.type, by.id, by.name, summary, agentId, now, toAgentId];
  await tx.query(KEEP_SUMMARY, values);
}
