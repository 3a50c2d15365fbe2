/** The session that holds the lock that a statement waited for. */
export interface LockHolder {
  /** Its process in PostgreSQL; 0 for a prepared transaction (`pg_prepared_xacts`). */
  pid: number;
  application: string | null;
  state: string | null;
  /** The age of its transaction in seconds; null if the role may not see it. */
  seconds: number | null;
  table: string | null;
}

/** Why a request or a background task failed although its client did nothing wrong. For the log, and for operators; never sent to clients. */
export interface Cause {
  /** One of a fixed list: the label of `parley_faults_total`, and what lines of the log are counted by. */
  name: string;
  /** SQLSTATE, or the code of the operating system. */
  code?: string;
  /** The reason, without values that people sent. */
  message: string;
  /** The limit that was reached, with its number. */
  limit?: string;
  holder?: LockHolder;
}
