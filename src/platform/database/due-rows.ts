import type { Logger } from '@nestjs/common';
import type { IsOf } from './citus/per-organization.js';
import { isDatabaseAway } from './database-problem.js';

/** Rows of one kind that become due, and what to do with each. */
export interface DueRows<T> {
  /** Reads rows that are due now, the longest due first. */
  list: (limit: number) => Promise<T[]>;
  /** Handles a row. Other nodes list it too, so this takes a lock, and checks again whether the row is due. */
  handle: (row: T) => Promise<void>;
  /** Called if `handle` fails. The row is still due in the next run. */
  onError: (error: unknown, row: T) => void;
  isStopped: () => boolean;
}

/**
 * Handles one batch of due rows. The rest is still due in the next run, so a row that keeps failing delays no other kind.
 * @param limit maximum rows per call
 * @param concurrency how many are handled at the same time: a locked row delays few others, and most connections stay free
 */
export async function handleDueRows<T>(
  { list, handle, onError, isStopped }: DueRows<T>,
  { limit, concurrency }: { limit: number; concurrency: number },
): Promise<void> {
  const rows = (await list(limit)).values();
  const handleNext = async () => {
    for (const row of rows) {
      if (isStopped()) return;
      await handle(row).catch((error: unknown) => onError(error, row));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, handleNext));
}

/** How items are handled one after the other. */
export interface Attempts<T> {
  database: { query(text: string): Promise<unknown> };
  logger: Logger;
  /** What the log says about an item that failed, and the fields that name it there. */
  failure: string;
  nameOf: (item: T) => object;
  shouldStop: () => boolean;
}

/**
 * Handles items of several organizations one after the other. One that fails is logged, and the others are still handled.
 * @returns the failed ones
 * @throws Error if the service stops, or no database answers. A silent worker of a Citus cluster only concerns its organizations
 */
export async function attemptEach<T>(
  { database, logger, failure, nameOf, shouldStop }: Attempts<T>,
  items: readonly T[],
  handle: (item: T) => Promise<void>,
): Promise<T[]> {
  const failed: T[] = [];
  for (const item of items) {
    try {
      await handle(item);
    } catch (err) {
      if (shouldStop()) throw err;
      if (isDatabaseAway(err)) await database.query('SELECT');
      logger.warn({ err, ...nameOf(item) }, failure);
      failed.push(item);
    }
  }
  return failed;
}

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
