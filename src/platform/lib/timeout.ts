/**
 * Resolves with the result of the work.
 * @throws what `onTimeout` makes, after so many milliseconds; the work goes on
 */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Lets one caller wait until something has become empty, within a time. */
export class EmptySignal {
  private resolve?: (isEmpty: boolean) => void;

  /** To be called whenever it has become empty. */
  notify(): void {
    this.resolve?.(true);
  }

  /** Resolves with true when it became empty, with false after so many milliseconds. */
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
