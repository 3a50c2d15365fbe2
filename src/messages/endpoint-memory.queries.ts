import type { EntityManager } from 'typeorm';
import { newId } from '../platform/lib/ids.js';

const FIND_CONVERSATIONS = `
  SELECT c.bot_id AS "botId", t.connection_id AS "connectionId", t.content->>'remoteId' AS "remoteId", h.visitor_id AS "remoteUser"
  FROM bot_transcripts t
  JOIN bot_connections c ON c.organization_id = $1 AND c.id = t.connection_id
  JOIN chats h ON h.organization_id = $1 AND h.id = t.chat_id
  WHERE t.organization_id = $1 AND t.chat_id = ANY ($2::text[]) AND t.content->>'remoteId' IS NOT NULL`;
const INSERT_REMOVAL = `
  INSERT INTO conversation_removals (organization_id, id, bot_id, connection_id, remote_id, remote_user, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`;
const REMOVE_TRANSCRIPTS = 'DELETE FROM bot_transcripts WHERE organization_id = $1 AND chat_id = ANY ($2::text[])';

/**
 * Removes what endpoints said in chats, because it may repeat messages that are removed, and lets the endpoints remove what they keep. In
 * the transaction `tx`. The messages that stay have what an endpoint still needs.
 */
export async function forgetEndpoints(
  tx: EntityManager,
  organizationId: string,
  chatIds: readonly string[],
): Promise<void> {
  type Found = Record<'botId' | 'connectionId' | 'remoteId' | 'remoteUser', string>;
  const found: Found[] = await tx.query(FIND_CONVERSATIONS, [organizationId, chatIds]);
  for (const { botId, connectionId, remoteId, remoteUser } of found)
    await tx.query(INSERT_REMOVAL, [
      organizationId,
      newId('cvr'),
      botId,
      connectionId,
      remoteId,
      remoteUser,
      new Date(),
    ]);
  await tx.query(REMOVE_TRANSCRIPTS, [organizationId, chatIds]);
}
