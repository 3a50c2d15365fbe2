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
