/** The most UTF-16 code units of the texts that are kept (64 MB). */
const MAX_SIZE = 33_554_432;

/** Bounds the memory of texts that are kept. */
export class TextBudget {
  private used = 0;

  /** Whether a text may take the place of another; then it counts from now on. */
  replace(before = '', text = ''): boolean {
    const used = this.used - before.length + text.length;
    if (text.length > 0 && used > MAX_SIZE) return false;
    this.used = used;
    return true;
  }
}
