import type { EntityManager } from 'typeorm';
import { sqlIsRunning } from '../../platform/cluster/nodes.queries.js';

const FIND = 'SELECT id FROM file_store';
const INSERT = 'INSERT INTO file_store (id) VALUES ($1) ON CONFLICT (is_only) DO NOTHING';

export async function findStoreId(manager: EntityManager): Promise<string | undefined> {
  const rows: { id: string }[] = await manager.query(FIND);
  return rows[0]?.id;
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('store of files', 0))`;

// The store may take 20 s for each of two requests. If the database ended the transaction before, another node could choose too.
const WAIT = `SET LOCAL idle_in_transaction_session_timeout = '60s'`;

/** Lets only one node at a time choose the id, until the end of the transaction, which may wait for the store. */
export async function lockStoreId(tx: EntityManager): Promise<void> {
  await tx.query(LOCK);
  await tx.query(WAIT);
}

/** Stores the id, unless one is stored already. Returns the stored one. */
export async function storeStoreId(manager: EntityManager, id: string): Promise<string> {
  await manager.query(INSERT, [id]);
  return (await findStoreId(manager))!;
}

const OTHERS = `SELECT n.id FROM nodes n WHERE n.id <> $1 AND ${sqlIsRunning('n')}`;

/** The other nodes that run. */
export async function findOtherNodes(manager: EntityManager, own: string): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(OTHERS, [own]);
  return rows.map(({ id }) => id);
}
