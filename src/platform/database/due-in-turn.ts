import type { IsOf } from './citus/per-organization.js';

/** How many rows are read at each end of the queue: those due longest, and those due last. */
const WINDOW = 5_000;

/** Which due rows a statement reads. `columns` is an expression about the table `r`, and `limit` a number or a parameter. */
interface DueInTurn {
  table: string;
  columns: string;
  limit: string | number;
}

/**
 * A statement that reads rows whose `due_at` has passed: one of each organization in turn, and of each the longest due first. So the many
 * rows of one organization delay each other one by a row.
 */
export function dueInTurn({ table, columns, limit }: DueInTurn, isOf: IsOf): string {
  const read = (order: 'ASC' | 'DESC') => `(
      SELECT r.* FROM ${table} r
      WHERE r.due_at <= statement_timestamp() AND ${isOf('r')} ORDER BY r.due_at ${order} LIMIT ${WINDOW})`;
  return `
  SELECT ${columns} FROM (
    SELECT d.*, row_number() OVER (PARTITION BY d.organization_id ORDER BY d.due_at) AS turn
    FROM (${read('ASC')} UNION ${read('DESC')}) AS d
  ) AS r ORDER BY r.turn, r.due_at LIMIT ${limit}`;
}
