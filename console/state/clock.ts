import { signal } from '@preact/signals';

/** How far the service's clock is ahead of this computer's, in milliseconds. */
let ahead = 0;

/** The service's current time in milliseconds, updated every second. */
export const now = signal(Date.now());
/** The same, updated every half minute: for relative times such as "5 minutes ago". */
export const slowNow = signal(Date.now());

/** The service's current time, in milliseconds. Compare the service's times with it, because this computer's clock may be wrong. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** Sets the service's time, which has just arrived. */
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
