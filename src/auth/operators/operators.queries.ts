import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

const FIND = `
  SELECT id, name FROM operators WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > $2)`;

/** The operator of a token; null if it's unknown, revoked, or expired. */
export async function findOperator(pool: Pool, hash: Buffer, now: Date): Promise<{ id: string; name: string } | null> {
  const query = { name: 'find-operator', text: FIND, values: [hash, now] };
  return (await pool.query<{ id: string; name: string }>(query)).rows[0] ?? null;
}

export interface OperatorUse {
  id: string;
  at: Date;
}

const RECORD_USES = `
  UPDATE operators o SET last_used_at = u.at FROM unnest($1::text[], $2::timestamptz[]) AS u (id, at)
  WHERE o.id = u.id AND (o.last_used_at IS NULL OR o.last_used_at < u.at)`;

export async function recordOperatorUses(pool: Pool, uses: readonly OperatorUse[]): Promise<void> {
  await pool.query(RECORD_USES, [uses.map(({ id }) => id), uses.map(({ at }) => at)]);
}

/** Counts the operators, and lets no other transaction add one until `tx` ends. */
export async function countAlone(tx: EntityManager): Promise<number> {
  await tx.query('LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE');
  const [row]: { count: number }[] = await tx.query('SELECT count(*)::integer AS count FROM operators');
  return row!.count;
}
