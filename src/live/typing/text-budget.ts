/** The most UTF-16 code units in all kept texts together (64 MB). */
const MAX_CODE_UNITS = 33_554_432;

/** Bounds the memory of kept texts. */
export class TextBudget {
  private used = 0;

  /** Counts `text` in place of `before`. Returns false, and changes nothing, when that exceeds the budget. */
  replace(before = '', text = ''): boolean {
    const used = this.used - before.length + text.length;
    if (text.length > 0 && used > MAX_CODE_UNITS) return false;
    this.used = used;
    return true;
  }
}
