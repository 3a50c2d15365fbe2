import { signal } from '@preact/signals';

/** By how much the service's clock is ahead of this computer's, in milliseconds. */
let ahead = 0;

/** The service's time of now in milliseconds, to the second. */
export const now = signal(Date.now());
/** The service's time of now in milliseconds, to half a minute: for what says "5 minutes ago". */
export const slowNow = signal(Date.now());

/** The service's time of now, in milliseconds: what it sends is compared with that, not with a clock that may be wrong. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** Takes the service's time, which has just come. */
export function setServerNow(iso: unknown): void {
  const time = Date.parse(String(iso));
  if (Number.isNaN(time)) return;
  ahead = time - Date.now();
  now.value = slowNow.value = serverNow();
}

setInterval(() => {
  now.value = serverNow();
  if (now.value - slowNow.value > 30_000) slowNow.value = now.value;
}, 1_000);
