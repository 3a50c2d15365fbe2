const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back on each signal that asks the program to end, and when the reader of its output has gone (main.ts). From then on they
 * end nothing by themselves, so that the command can remove what it made.
 */
export function onInterruption(callback: () => void): void {
  for (const signal of SIGNALS) process.on(signal, callback);
}
