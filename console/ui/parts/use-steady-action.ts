import { useState } from 'preact/hooks';
import { STEADY_MS } from '../../state/steady.js';

/**
 * Runs one action at a time, until what it changes has been shown a while. A second click is meant for the former row or
 * button, not for the one in its place.
 */
export function useSteadyAction() {
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } finally {
      // The time counts from the frame that shows it.
      requestAnimationFrame(() => setTimeout(() => setBusy(false), STEADY_MS));
    }
  };
  return { isBusy, act };
}
