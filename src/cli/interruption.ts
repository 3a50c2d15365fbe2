const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back on each signal that asks the program to exit, and when the reader closes the output pipe (main.ts). These no longer end
 * the program by themselves, so that the command can clean up.
 */
export function onInterruption(callback: () => void): void {
  for (const signal of SIGNALS) process.on(signal, callback);
}
