import type { EntityManager } from 'typeorm';

const FIND_AGENTS = `
  SELECT agent_id AS "agentId" FROM chats
  WHERE organization_id = $1 AND id = ANY ($2) AND agent_id IS NOT NULL AND snoozed_by IS NULL`;

/** The agents of these chats, one entry per chat. Snoozed chats take no capacity. */
export async function findAgentsOf(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  const rows: { agentId: string }[] = await tx.query(FIND_AGENTS, [organizationId, chatIds]);
  return rows.map(({ agentId }) => agentId);
}

const REMOVE = ['chat_offers', 'handoffs', 'notes'].map(
  (table) => `DELETE FROM ${table} WHERE organization_id = $1 AND chat_id = ANY ($2)`,
);

/** Removes the offers, hand-offs and notes of these chats. */
export async function removeHandoffData(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  for (const statement of REMOVE) await tx.query(statement, [organizationId, chatIds]);
}
