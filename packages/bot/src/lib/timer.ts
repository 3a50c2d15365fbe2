/** The longest delay of a timer, in milliseconds (24 days). With a longer one, Node calls back after 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export type Timer = ReturnType<typeof setTimeout>;

/** Calls back after a delay in milliseconds; never if it's too long for a timer, such as Infinity. */
export function after(milliseconds: number, callback: () => void): Timer | undefined {
  return milliseconds <= MAX_TIMER_MS ? setTimeout(callback, milliseconds) : undefined;
}

/** Resolves after a delay in milliseconds. @throws the signal's reason if it aborts first */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Resolves after a delay in milliseconds. Doesn't keep the process running. */
export function idle(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: Timer & { unref?: () => void } = setTimeout(resolve, milliseconds);
    timer.unref?.();
  });
}

/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
