import type { EntityManager } from 'typeorm';
import type { OfferEnd } from '../model/chat-offer.entity.js';
import type { LockedChat } from './chat-transitions.queries.js';

/** The agent who gets the offer, and for how long. */
export interface OfferedAgent {
  id: string;
  offerSeconds: number;
}

const INSERT = `
  INSERT INTO chat_offers (organization_id, id, chat_id, handoff_id, agent_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6::timestamptz + make_interval(secs => $7))
  RETURNING expires_at AS "expiresAt"`;

export async function insertOffer(
  tx: EntityManager,
  organizationId: string,
  id: string,
  chat: LockedChat,
  { id: agentId, offerSeconds }: OfferedAgent,
): Promise<Date> {
  const values = [organizationId, id, chat.id, chat.handoff!.id, agentId, chat.now, offerSeconds];
  const [row]: { expiresAt: Date }[] = await tx.query(INSERT, values);
  return row!.expiresAt;
}

const END_OFFER = `
  UPDATE chat_offers SET ended_at = $3, reason = $4 WHERE organization_id = $1 AND id = $2 AND ended_at IS NULL`;

/** Ends a pending offer. `addLoad` updates the agent's counter. */
export async function endOffer(tx: EntityManager, organizationId: string, id: string, at: Date, reason: OfferEnd) {
  await tx.query(END_OFFER, [organizationId, id, at, reason]);
}

const WITHDRAW_OFFERS = `
  UPDATE chat_offers SET ended_at = statement_timestamp(), reason = 'WITHDRAWN'
  WHERE organization_id = $1 AND chat_id = ANY ($2) AND ended_at IS NULL
  RETURNING id AS "offerId", chat_id AS "chatId", agent_id AS "agentId"`;

interface WithdrawnOffer {
  offerId: string;
  chatId: string;
  agentId: string;
}

/** Withdraws the pending offers of these locked chats. `addLoad` updates the agents' counters. */
export async function withdrawOffers(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
): Promise<WithdrawnOffer[]> {
  const [offers] = (await tx.query(WITHDRAW_OFFERS, [organizationId, chatIds])) as [WithdrawnOffer[], number];
  return offers;
}
