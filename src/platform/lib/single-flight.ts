/** Milliseconds that somebody who asks after the service's health, or scrapes it, waits for the database at most. */
export const PATIENCE = 2_000;

/** The error of a look that took too long. */
export class TooLateError extends Error {}

/**
 * Looks at something that may hang: whoever asks while a look is under way shares it, and waits 2 s at most. One that hangs
 * holds up nobody but itself: there are never two.
 */
export function singleFlight<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return async () => {
    current ??= ask().finally(() => (current = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new TooLateError(`no answer within ${PATIENCE} ms`)), PATIENCE);
    });
    try {
      return await Promise.race([current, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
