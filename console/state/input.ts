import { effect, untracked } from '@preact/signals';
import { ask, isConnected } from './connection.js';
import { session } from './session.js';

/** The least time between two reports of input. */
const EVERY_MS = 30_000;
/** The same while the service considers this agent away, because the next input must end it. */
const WHILE_AWAY_MS = 2_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

let reportedAt = -Infinity;
let isWatching = false;

/** Reports this agent's input to the service, so that they aren't away. Opening the page is an input, and a reconnect isn't. */
export function watchInput(): void {
  reportedAt = -Infinity;
  if (isWatching) return;
  isWatching = true;
  for (const input of INPUTS) addEventListener(input, onInput, { passive: true, capture: true });
  effect(() => {
    if (isConnected.value && reportedAt === -Infinity) untracked(report);
  });
}

function onInput(event: Event): void {
  // Browsers also send it when something moves below a pointer at rest.
  const isAtRest =
    event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;
  if (!isAtRest) report();
}

function report(): void {
  const pause = session.value?.agent.pauseReason === 'AWAY' ? WHILE_AWAY_MS : EVERY_MS;
  const now = performance.now();
  if (!isConnected.value || now - reportedAt < pause) return;
  reportedAt = now;
  ask('input', {}).catch(() => (reportedAt = -Infinity));
}
