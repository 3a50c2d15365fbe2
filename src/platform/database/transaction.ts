import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isTransient } from './database-problem.js';

const ATTEMPTS = 3;

/** What to do when a transaction is committed. */
const hooks = new WeakMap<QueryRunner, (() => void)[]>();

/**
 * Runs `work` in a transaction, again when the database ended it so that another could go on (a deadlock): so `work`
 * must do nothing but use `tx`, and `afterCommit` for the rest.
 */
export async function transaction<T>(manager: EntityManager, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { result, runner } = await manager.transaction(async (tx) => ({
        result: await work(tx),
        runner: tx.queryRunner!,
      }));
      for (const hook of hooks.get(runner) ?? []) hook();
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** Does something, like telling others, once the `transaction` of `tx` is committed; at once when it is in none. */
export function afterCommit(tx: EntityManager, hook: () => void): void {
  const runner = tx.queryRunner;
  if (!runner?.isTransactionActive) return hook();
  hooks.set(runner, [...(hooks.get(runner) ?? []), hook]);
}

/** The connection a transaction runs on, for statements that have to be named. */
export async function clientOf(tx: EntityManager): Promise<PoolClient> {
  return (await tx.queryRunner!.connect()) as PoolClient;
}
