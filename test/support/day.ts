import { setTimeout as sleep } from 'node:timers/promises';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Waits for the next hour or day, in UTC, if it begins in less time than a test needs. */
export async function awayFromEnd(periodMs: number, neededMs = 30_000): Promise<void> {
  const left = periodMs - (Date.now() % periodMs);
  if (left < neededMs) await sleep(left + 100);
}
