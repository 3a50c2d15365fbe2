import type { PoolClient, QueryConfig, QueryResultRow } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isTransient } from './database-problem.js';

const MAX_ATTEMPTS = 3;

/** The functions to call once a transaction is committed. */
const hooks = new WeakMap<QueryRunner, (() => void)[]>();

/**
 * Runs `work` in a transaction, and again after a transient error (deadlock, serialization failure). So `work` must
 * have no effects except through `tx`; others belong in `afterCommit`.
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
      if (attempt === MAX_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

/** Calls the hook once the `transaction` of `tx` is committed; immediately when `tx` isn't in a transaction. */
export function afterCommit(tx: EntityManager, hook: () => void): void {
  const runner = tx.queryRunner;
  if (!runner?.isTransactionActive) return hook();
  hooks.set(runner, [...(hooks.get(runner) ?? []), hook]);
}

/** The connection of a transaction, for statements that must be named. */
export async function clientOf(tx: EntityManager): Promise<PoolClient> {
  return (await tx.queryRunner!.connect()) as PoolClient;
}

/** Runs a named statement in the transaction of `tx`: each connection parses and plans it once. */
export async function queryNamed<Row extends QueryResultRow>(
  tx: EntityManager,
  query: QueryConfig & { name: string },
): Promise<Row[]> {
  return (await (await clientOf(tx)).query<Row>(query)).rows;
}
