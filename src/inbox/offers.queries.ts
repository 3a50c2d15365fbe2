import type { Pool } from 'pg';
import { rowsOf, type StoredRow } from './rows.queries.js';
import type { Viewer } from './viewer.js';
import { isSeen, seenAs } from '../chats/model/chat-rights.js';

/** An agent has room for at most 100 chats, counting offers. */
const MAX_OFFERS = 100;

const OF_AGENT = rowsOf(`
  SELECT o.chat_id AS id, row_number() OVER (ORDER BY o.expires_at, o.id) AS place FROM chat_offers o
  WHERE o.organization_id = $1 AND o.agent_id = $3 AND o.ended_at IS NULL AND o.expires_at > clock_timestamp()
    AND EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.id = o.chat_id AND ${isSeen('c')})
  ORDER BY o.expires_at, o.id LIMIT ${MAX_OFFERS}`);

/** The rows of the chats that are offered to the viewer, those that expire first at the beginning. */
export async function findOffered(pool: Pool, viewer: Viewer): Promise<StoredRow[]> {
  const values = [viewer.organizationId, seenAs(viewer), viewer.agentId];
  const { rows } = await pool.query<StoredRow>({ name: 'inbox-offers', text: OF_AGENT, values });
  return rows;
}
