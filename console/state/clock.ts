import { signal } from '@preact/signals';

/** The time of now in milliseconds, to the second. */
export const now = signal(Date.now());
/** The time of now in milliseconds, to half a minute: for what says "5 minutes ago". */
export const slowNow = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
  if (now.value - slowNow.value > 30_000) slowNow.value = now.value;
}, 1_000);
