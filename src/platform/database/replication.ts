/**
 * A column that makes its statement wait for the synchronous standby, for a read whose result acknowledges an earlier
 * write. A transaction whose wait was cut short (its process died, or the wait was canceled) is committed on the
 * primary only: a plain read sees its rows, and a failover takes them back. This column writes a log record after that
 * commit, so the reading statement's commit waits until both are replicated. Without `synchronous_standby_names` it
 * does nothing.
 */
export const AWAIT_REPLICATION = `
    CASE WHEN current_setting('synchronous_standby_names') <> '' THEN pg_logical_emit_message(true, 'parley', '') END AS "replicatedAt"`;

/** SQLSTATE transaction_resolution_unknown. */
export const OUTCOME_UNKNOWN = '08007';

/** The transaction is committed on the primary, but its wait for the standby was canceled: a failover may take it back. */
export class ReplicationCancelled extends Error {
  readonly code = OUTCOME_UNKNOWN;
}
