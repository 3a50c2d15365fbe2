import { makeController } from './signals.js';

/**
 * Runs work with a signal that aborts after a time limit in milliseconds, or with another signal. `AbortSignal.any` with
 * `AbortSignal.timeout` stops working after a garbage collection (nodejs/node#57736).
 */
export async function withTimeLimit<T>(
  milliseconds: number,
  other: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = makeController();
  const abort = () => controller.abort(other?.reason);
  const timer = setTimeout(() => controller.abort(new Error('no answer in time')), milliseconds);
  other?.addEventListener('abort', abort);
  if (other?.aborted) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  }
}
