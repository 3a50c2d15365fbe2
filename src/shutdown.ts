/** The whole shutdown may take this long, in milliseconds. */
const PATIENCE = 9_000;

type Closer = () => Promise<unknown>;

/**
 * Ends the process in order: on SIGTERM or SIGINT what was opened is closed, the last first, then it exits 0; within
 * 9 s whatever happens.
 */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private isClosing = false;

  listen(): this {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exit(0));
    return this;
  }

  /** Something to close in its turn. */
  add(closer: Closer): void {
    this.closers.push(closer);
  }

  async exit(code: number): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    setTimeout(() => process.exit(code), PATIENCE).unref();
    for (const close of this.closers.reverse()) await close().catch((error: unknown) => console.error(error));
    process.exit(code);
  }
}
