import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { isTransient } from '../common/database-problem.js';

const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction, again when the database ended it so that another could go on (a deadlock): so `work`
 * must do nothing but use `tx`.
 */
export async function transaction<T>(manager: EntityManager, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await manager.transaction(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** The connection a transaction runs on, for statements that have to be named. */
export async function clientOf(tx: EntityManager): Promise<PoolClient> {
  return (await tx.queryRunner!.connect()) as PoolClient;
}
