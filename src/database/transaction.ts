import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';

/** The connection a transaction runs on, for statements that have to be named. */
export async function clientOf(tx: EntityManager): Promise<PoolClient> {
  return (await tx.queryRunner!.connect()) as PoolClient;
}
