/** Runs statements in a transaction. */
interface Statements {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1 || s.id, 0)) FROM unnest($2::text[]) AS s (id)';

/**
 * Locks these chats or visitors in the index of words, until the end of the transaction. The index reads them after this lock. A transaction
 * that erases changes their rows first, then takes this lock, and then removes their words. So the second one sees what the first one did,
 * and erased words can't come back. The lock isn't a row's: retention, which skips locked rows, and the statements that store messages
 * don't notice the index.
 */
export async function lockWords(tx: Statements, organizationId: string, ids: readonly string[]): Promise<void> {
  await tx.query(LOCK, [organizationId, ids.toSorted()]);
}

/** What is removed from the index of words: the messages of a range of chats, all rows of chats, or messages and notes by their ids. */
export type RemovedWords =
  | { chatIds: readonly string[]; afterSeq: number; lastSeq?: number }
  | { chatIds: readonly string[] }
  | { chatIds: readonly string[]; ids: readonly string[] };

const REMOVE = {
  ofRange: `
    DELETE FROM search_entries
    WHERE organization_id = $1 AND chat_id = ANY ($2::text[]) AND seq > $3 AND ($4::integer IS NULL OR seq <= $4)`,
  ofChats: 'DELETE FROM search_entries WHERE organization_id = $1 AND chat_id = ANY ($2::text[])',
  ofIds:
    'DELETE FROM search_entries WHERE organization_id = $1 AND chat_id = ANY ($2::text[]) AND id = ANY ($3::text[])',
};

/** Removes what the index of words has of erased rows, in the transaction that has erased them. */
export async function removeWords(tx: Statements, organizationId: string, removed: RemovedWords): Promise<void> {
  const { chatIds } = removed;
  if (chatIds.length === 0) return;
  await lockWords(tx, organizationId, chatIds);
  if ('afterSeq' in removed)
    await tx.query(REMOVE.ofRange, [organizationId, chatIds, removed.afterSeq, removed.lastSeq ?? null]);
  else if ('ids' in removed) await tx.query(REMOVE.ofIds, [organizationId, chatIds, removed.ids]);
  else await tx.query(REMOVE.ofChats, [organizationId, chatIds]);
}

const REMOVE_VISITOR = `
  DELETE FROM search_entries WHERE organization_id = $1 AND kind = 'CHAT'
    AND chat_id IN (SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = $2)`;

/** The same for a visitor's name and addresses. The words of the messages stay. */
export async function removeVisitorWords(tx: Statements, organizationId: string, visitorId: string): Promise<void> {
  await lockWords(tx, organizationId, [visitorId]);
  await tx.query(REMOVE_VISITOR, [organizationId, visitorId]);
}
