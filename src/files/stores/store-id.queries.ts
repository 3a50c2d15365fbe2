import type { EntityManager } from 'typeorm';

const FIND = 'SELECT id FROM file_store';
const INSERT = 'INSERT INTO file_store (id) VALUES ($1) ON CONFLICT (is_only) DO NOTHING';

export async function findStoreId(manager: EntityManager): Promise<string | undefined> {
  const rows: { id: string }[] = await manager.query(FIND);
  return rows[0]?.id;
}

/** Stores the id, unless there's one. Returns the one that's there. */
export async function storeStoreId(manager: EntityManager, id: string): Promise<string> {
  await manager.query(INSERT, [id]);
  return (await findStoreId(manager))!;
}
