/**
 * Resolves with the result of the work.
 * @throws the error from `onTimeout` after this many milliseconds; the work continues
 */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Lets one caller wait, within a time, until something is empty. */
export class EmptySignal {
  private resolve?: (isEmpty: boolean) => void;

  /** Call this whenever it becomes empty. */
  notify(): void {
    this.resolve?.(true);
  }

  /** Resolves with true when it became empty, or with false after this many milliseconds. */
  wait(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.resolve = (isEmpty) => {
        clearTimeout(timer);
        resolve(isEmpty);
      };
    });
  }
}
