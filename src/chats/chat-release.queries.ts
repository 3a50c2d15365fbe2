import type { EntityManager } from 'typeorm';

const FIND_AGENTS = `
  SELECT agent_id AS "agentId" FROM chats WHERE organization_id = $1 AND id = ANY ($2) AND agent_id IS NOT NULL`;

/** The agents who have these chats, one for each chat. */
export async function findAgentsOf(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  const rows: { agentId: string }[] = await tx.query(FIND_AGENTS, [organizationId, chatIds]);
  return rows.map(({ agentId }) => agentId);
}

const WITHDRAW = `
  UPDATE chat_offers SET ended_at = clock_timestamp(), reason = 'WITHDRAWN'
  WHERE organization_id = $1 AND chat_id = ANY ($2) AND ended_at IS NULL
  RETURNING id AS "offerId", chat_id AS "chatId", agent_id AS "agentId"`;

export interface WithdrawnOffer {
  offerId: string;
  chatId: string;
  agentId: string;
}

/** Ends the pending offers of these chats. */
export async function withdrawOffers(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  const [rows] = (await tx.query(WITHDRAW, [organizationId, chatIds])) as [WithdrawnOffer[], number];
  return rows;
}

const REMOVE = ['chat_offers', 'handoffs', 'notes'].map(
  (table) => `DELETE FROM ${table} WHERE organization_id = $1 AND chat_id = ANY ($2)`,
);

/** Removes what agents and routing wrote about these chats. */
export async function removeWorkOn(tx: EntityManager, organizationId: string, chatIds: readonly string[]) {
  for (const statement of REMOVE) await tx.query(statement, [organizationId, chatIds]);
}
