import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds until a test gives up: long after a busy machine is done, and before the test's own time limit. */
export const PATIENCE = 60_000;

/** Reads every 20 ms until the value is as wanted, and returns it. @throws Error with `complaint`, or the last value */
export async function eventually<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  patience = PATIENCE,
  complaint?: string,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > end) throw new Error(complaint ?? `still ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}

/** Waits until a condition holds. @throws Error that names it */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<void> {
  await eventually(holds, Boolean, patience, `in ${patience / 1000} s not: ${what}`);
}
