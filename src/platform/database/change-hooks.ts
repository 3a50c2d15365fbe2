import type { EntityManager } from 'typeorm';

/** Takes part in the transaction that changes a row: a precondition, and a record of the change. */
export interface ChangeHooks<R> {
  /** Called with the locked row before anything changes. @throws Problem to reject the change */
  before(row: R): void;
  /** Called once the row has changed. @param before null for an added row @param after null for a removed row */
  record(tx: EntityManager, before: R | null, after: R | null): Promise<void>;
}

/** Records a change in several logs, in this order. */
export function recordAll<R>(...hooks: Pick<ChangeHooks<R>, 'record'>[]): ChangeHooks<R> {
  return {
    ...NO_HOOKS,
    record: async (tx, before, after) => {
      for (const { record } of hooks) await record(tx, before, after);
    },
  };
}

export const NO_HOOKS: ChangeHooks<unknown> = { before: () => undefined, record: () => Promise.resolve() };
