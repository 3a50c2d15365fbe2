/**
 * Makes of an asynchronous work one that runs once at a time, at most every so many milliseconds, and always once after the
 * last call. Failures are left to the work.
 */
export function throttled(work: () => Promise<void>, interval: number): () => void {
  let isRunning = false;
  let isWanted = false;
  let lastAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    isWanted = false;
    isRunning = true;
    lastAt = Date.now();
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
    timer = setTimeout(run, Math.max(0, lastAt + interval - Date.now()));
  };
  return call;
}
