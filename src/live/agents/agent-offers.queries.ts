import type { Pool } from 'pg';
import type { AgentKey } from '../../agents/presence.queries.js';
import type { OfferEnd } from '../../chats/model/chat-offer.entity.js';
import type { ChatOfferMade } from '../../chats/model/chats.events.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';

/** An offer; `reason` is null while it is pending. */
export interface OfferState extends ChatOfferMade {
  reason: OfferEnd | null;
}

const OFFER = `
  o.organization_id AS "organizationId", o.id AS "offerId", o.chat_id AS "chatId", o.agent_id AS "agentId",
  o.expires_at AS "expiresAt", o.reason`;

// Every part uses an index.
const FIND_OFFERS = `
  SELECT ${OFFER} FROM unnest($1::text[], $2::text[]) AS a (organization_id, agent_id)
  JOIN chat_offers o ON o.organization_id = a.organization_id AND o.agent_id = a.agent_id AND o.ended_at IS NULL
    AND o.expires_at > clock_timestamp()
  UNION
  SELECT ${OFFER} FROM unnest($3::text[], $4::text[]) AS k (organization_id, id)
  JOIN chat_offers o ON o.organization_id = k.organization_id AND o.id = k.id`;

/**
 * These agents' pending offers, and the current state of the `known` ones.
 * @param failures as for `queryOrganizations`, by the place of the agent
 */
export async function findOffers(
  pool: Pool,
  agents: readonly AgentKey[],
  known: ReadonlyMap<string, AgentKey>,
  failures?: Map<number, Error>,
): Promise<OfferState[]> {
  const values = [
    agents.map(({ organizationId }) => organizationId),
    agents.map(({ agentId }) => agentId),
    [...known.values()].map(({ organizationId }) => organizationId),
    [...known.keys()],
  ];
  const items = [
    [0, 1],
    [2, 3],
  ];
  return queryOrganizations<OfferState>(pool, {
    name: 'find-agent-offers',
    text: FIND_OFFERS,
    values,
    items,
    failures,
  });
}
