import type { EntityManager } from 'typeorm';
import { EMPTY_TRANSCRIPT, type Transcript } from '../model/transcript.js';

const FIND = `
  SELECT content FROM bot_transcripts WHERE organization_id = $1 AND chat_id = $2 AND connection_id = $3`;

/** What this connection's endpoint said in a chat. */
export async function findTranscript(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
  connectionId: string,
): Promise<Transcript> {
  const [row]: { content: Transcript }[] = await manager.query(FIND, [organizationId, chatId, connectionId]);
  return row?.content ?? EMPTY_TRANSCRIPT;
}

const STORE = `
  INSERT INTO bot_transcripts AS t (organization_id, chat_id, connection_id, content, updated_at)
  VALUES ($1, $2, $3, $4, statement_timestamp())
  ON CONFLICT (organization_id, chat_id) DO UPDATE
  SET connection_id = excluded.connection_id, content = excluded.content, updated_at = excluded.updated_at`;

export async function storeTranscript(
  tx: EntityManager,
  { organizationId, chatId }: { organizationId: string; chatId: string },
  connectionId: string,
  transcript: Transcript,
): Promise<void> {
  await tx.query(STORE, [organizationId, chatId, connectionId, JSON.stringify(transcript)]);
}
