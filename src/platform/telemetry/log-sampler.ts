const INTERVAL_MS = 60_000;
/** The most lines per minute: of one cause, unless a sampler has another limit, and of all causes of a sampler. */
const MAX_LINES_OF_CAUSE = 5;
const MAX_LINES = 200;
/** Up to this many causes are counted one by one; more share a count. */
const MAX_CAUSES = 100;
const OTHER_CAUSES = 'other';

/**
 * Limits the log lines that others can cause, so that they can't fill a disk. The first lines of each minute are written. At the end of
 * the minute, one line says how many were left out.
 */
export class LogSampler {
  private readonly counts = new Map<string, number>();
  private readonly omitted = new Map<string, number>();
  private total = 0;
  private timer?: NodeJS.Timeout;

  /** @param report writes the line about omitted lines, whose numbers it gets by cause */
  constructor(private readonly report: (omitted: Record<string, number>) => void) {}

  /** Counts a line, and returns whether to write it. */
  admits(cause: string, max = MAX_LINES_OF_CAUSE): boolean {
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS).unref();
    const key = this.counts.has(cause) || this.counts.size < MAX_CAUSES ? cause : OTHER_CAUSES;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (count <= max && this.total < MAX_LINES) {
      this.total++;
      return true;
    }
    this.omitted.set(key, (this.omitted.get(key) ?? 0) + 1);
    return false;
  }

  /** Whether a cause has had lines in this minute. */
  has(cause: string): boolean {
    return this.counts.has(cause);
  }

  /** Ends the minute: reports what was left out, and starts again. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.omitted.size > 0) this.report(Object.fromEntries(this.omitted));
    this.counts.clear();
    this.omitted.clear();
    this.total = 0;
  }
}
