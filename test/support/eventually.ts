import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds until a test gives up: long after a busy machine is done, and before the test itself is given up. */
export const PATIENCE = 60_000;

/** Looks every 20 ms until what is seen is as wanted, and returns it. @throws Error with `complaint`, or the last look */
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

/** Waits until a condition holds. @throws Error that names what was awaited */
export async function until(what: string, holds: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<void> {
  await eventually(holds, Boolean, patience, `in ${patience / 1000} s not: ${what}`);
}
