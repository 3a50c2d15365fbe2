/**
 * Throttles an asynchronous function: one run at a time, at most one every `interval` milliseconds, and always one after the last
 * call. The function handles its own errors.
 */
export function throttled(work: () => Promise<void>, interval: number): () => void {
  let isRunning = false;
  let isWanted = false;
  // By a clock that can't be set back.
  let lastAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    isWanted = false;
    isRunning = true;
    lastAt = performance.now();
    void work()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false;
        if (isWanted) call();
      });
  };
  const call = () => {
    isWanted = true;
    if (isRunning || timer !== undefined) return;
    timer = setTimeout(run, Math.max(0, lastAt + interval - performance.now()));
  };
  return call;
}
