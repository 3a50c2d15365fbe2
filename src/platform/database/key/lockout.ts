import { READ_CHECK } from './key-check.js';

/** A statement that was rejected because the database belongs to another SECRET_KEY. Nothing is stored. */
class LockedOutError extends Error {
  /** SQLSTATE sqlserver_rejected_establishment_of_sqlconnection: the request may be retried. */
  readonly code = '08004';
}

/** Rejects every statement of this process while it must not use the database. */
export class Lockout {
  /** Why, for people; null while the database may be used. */
  reason: string | null = null;

  /** Why a statement isn't sent; null for one that may run. */
  findRefusal(statement: unknown): Error | null {
    if (this.reason === null || statement === READ_CHECK) return null;
    return new LockedOutError(this.reason);
  }
}
