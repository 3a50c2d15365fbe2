/** The most that a mail may have (CONTRACT: E-mail). A line break and a boundary cost the parser much more than other bytes. */
const MOST = { parts: 1_000, levels: 20, headerBytes: 512 * 1024, lines: 500_000 };

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const CONTENT_TYPE = /^content-type[ \t]*:/i;
const BOUNDARY = /;[ \t\r\n]*boundary[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.){0,1000})"|([^\s;"]{1,1000}))/i;
const LONGEST_LINE = 1_100;

/** A mail exceeds a limit. */
export class TooLarge extends Error {}

/**
 * Checks the limits of a mail in linear time, before it's parsed. Nested messages count as parts and levels, although they
 * aren't parsed. In the headers, `format=flowed` becomes `format=fl0wed`, so that the parser doesn't join quoted lines.
 */
export class Structure {
  /** @param {Buffer} source */
  constructor(source) {
    this.source = source;
    this.parts = 1;
    this.level = 1;
    this.headerBytes = 0;
    this.isInHeader = true;
    this.isFlowed = false;
    this.deletesSpaces = false;
    /** The value of the part's first Content-Type, or null before it. */
    this.type = null;
    this.isInType = false;
    this.typeAt = 0;
    /** @type {{boundary: string, level: number}[]} */
    this.open = [];
  }

  /** @throws TooLarge */
  check() {
    const { source } = this;
    let lines = 0;
    for (let from = 0; from < source.length; lines++) {
      if (lines > MOST.lines) throw new TooLarge('lines');
      const at = source.indexOf(LF, from);
      const end = at < 0 ? source.length : at + 1;
      this.readLine(from, end);
      from = end;
    }
    if (this.isInHeader) this.endHeader(source.length);
    return this;
  }

  /** @private */
  readLine(from, end) {
    if (this.source[from] === DASH && this.source[from + 1] === DASH && this.isBoundary(from, end)) return;
    if (!this.isInHeader) return;
    this.headerBytes += end - from;
    if (this.headerBytes > MOST.headerBytes) throw new TooLarge('headers');
    const stop = this.withoutBreak(from, end);
    if (stop === from) this.endHeader(end);
    else this.readField(this.source.toString('latin1', from, stop), from);
  }

  /** @private */
  withoutBreak(from, end) {
    let stop = end;
    while (stop > from && (this.source[stop - 1] === LF || this.source[stop - 1] === CR)) stop--;
    return stop;
  }

  /** @private */
  readField(line, from) {
    if (this.isInType && /^[ \t]/.test(line)) {
      this.type.push(line);
      return;
    }
    this.isInType = this.type === null && CONTENT_TYPE.test(line);
    if (!this.isInType) return;
    this.type = [line.replace(CONTENT_TYPE, '')];
    this.typeAt = from;
  }

  /** @private */
  endHeader(end) {
    const type = (this.type ?? []).join('');
    this.hideFlowed(type, end);
    this.isInHeader = false;
    this.isInType = false;
    this.type = null;
    if (/^[ \t]*message\/(?:rfc822|global)[ \t]*(?:;|$)/i.test(type)) this.startPart(this.level + 1);
    const boundary = /^[ \t]*multipart\//i.test(type) ? BOUNDARY.exec(type) : null;
    if (boundary === null) return;
    const value = boundary[1]?.replace(/\\(.)/g, '$1') ?? boundary[2];
    this.open.push({ boundary: value, level: this.level });
    if (this.level >= MOST.levels) throw new TooLarge('levels');
  }

  /** @private */
  hideFlowed(type, end) {
    if (!/format[ \t]*=[ \t]*"?flowed/i.test(type)) return;
    this.isFlowed = true;
    this.deletesSpaces ||= /delsp[ \t]*=[ \t]*"?yes/i.test(type);
    const at = this.source.toString('latin1', this.typeAt, end).search(/flowed/i);
    this.source[this.typeAt + at + 2] = 0x30;
  }

  /** @private */
  startPart(level) {
    this.parts++;
    if (this.parts > MOST.parts) throw new TooLarge('parts');
    if (level > MOST.levels) throw new TooLarge('levels');
    this.level = level;
    this.isInHeader = true;
    this.isInType = false;
    this.type = null;
  }

  /** @private */
  isBoundary(from, end) {
    if (this.open.length === 0 || end - from > LONGEST_LINE) return false;
    const line = this.source.toString('utf8', from + 2, end).trimEnd();
    const index = this.open.findLastIndex(({ boundary }) => line === boundary || line === `${boundary}--`);
    if (index < 0) return false;
    const { boundary, level } = this.open[index];
    const isEnd = line !== boundary;
    if (this.isInHeader) this.endHeader(from);
    this.open.length = isEnd ? index : index + 1;
    if (isEnd) {
      this.isInHeader = false;
      this.level = level;
    } else this.startPart(level + 1);
    return true;
  }
}
