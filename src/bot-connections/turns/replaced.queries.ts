import type { EntityManager } from 'typeorm';

const FIND = 'SELECT unnest(message_ids) AS id FROM bot_turns WHERE organization_id = $1 AND id = ANY ($2::text[])';

/** The messages of turns that another one repeats. */
export async function findReplaced(
  manager: EntityManager,
  organizationId: string,
  turnIds: readonly string[],
): Promise<Set<string>> {
  if (turnIds.length === 0) return new Set();
  const rows: { id: string }[] = await manager.query(FIND, [organizationId, turnIds]);
  return new Set(rows.map(({ id }) => id));
}
