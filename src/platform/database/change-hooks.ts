import type { EntityManager } from 'typeorm';

/** What takes part in the transaction of a change of a row: a condition before it, and a record of it. */
export interface ChangeHooks<R> {
  /** Called with the row, which is locked, before anything of it is changed. @throws Problem to refuse the change */
  before(row: R): void;
  /** Called once the row is changed. @param before null for a row that was added @param after null for one that was removed */
  record(tx: EntityManager, before: R | null, after: R | null): Promise<void>;
}

/** For changes that need neither. */
export const NO_HOOKS: ChangeHooks<unknown> = { before: () => undefined, record: () => Promise.resolve() };
