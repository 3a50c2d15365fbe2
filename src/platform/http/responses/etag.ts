import { createHash } from 'node:crypto';
import { invalid, Problem } from '../../errors/problem.js';

/** Fields that are shown only once, so that reading the resource again doesn't return them. */
const SHOWN_ONCE: ReadonlySet<string> = new Set(['identitySecret', 'secret', 'token', 'visitorToken']);
/** Fields that observe the resource: they change without a change of it. */
const OBSERVED: ReadonlySet<string> = new Set(['health']);
/** Characters of a tag between its quotes: 162 bits. */
const TAG_LENGTH = 27;

/** The strong entity tag of a resource (RFC 9110, section 8.8.3): a hash of its representation. */
export function etagOf(resource: object): string {
  const shown = Object.entries(resource).filter(([name]) => !SHOWN_ONCE.has(name) && !OBSERVED.has(name));
  const hash = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
  return `"${hash.slice(0, TAG_LENGTH)}"`;
}

/**
 * Whether a client that sends `If-None-Match` has this version. Tags are compared weakly (RFC 9110, section 13.1.2).
 *
 * @param tag the strong tag of the response, without a comma
 */
export function hasVersion(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim()) ?? [];
  return known.some((one) => one === '*' || one === tag || one === `W/${tag}`);
}

/** The precondition of a change: the header `If-Match` (RFC 9110, section 13.1.1). */
export class Precondition {
  /** @param tags the strong tags; null: any version */
  private constructor(private readonly tags: ReadonlySet<string> | null) {}

  /** @throws Problem validation_failed for a malformed header */
  static read(header: string | undefined): Precondition | null {
    if (header === undefined) return null;
    return new Precondition(header.trim() === '*' ? null : readTags(header));
  }

  /** @throws Problem precondition_failed when the resource has another version */
  check(resource: object): void {
    if (this.tags === null || this.tags.has(etagOf(resource))) return;
    throw new Problem('precondition_failed', 'The resource changed since you read it; read it again and retry');
  }
}

// Each expression starts where the previous one ended, so a list is read in linear time.
const START = /[ \t,]*/y;
const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y;
const BETWEEN = /[ \t]*(?:,[ \t,]*|$)/y;

function readTags(header: string): Set<string> {
  const strong = new Set<string>();
  let at = readAt(START, header, 0).end;
  do {
    const { found, end } = readAt(TAG, header, at);
    const [, weak, tag] = found;
    // A weak tag never matches, because If-Match compares strongly.
    if (!weak) strong.add(tag!);
    at = readAt(BETWEEN, header, end).end;
  } while (at < header.length);
  return strong;
}

function readAt(expression: RegExp, text: string, at: number): { found: RegExpExecArray; end: number } {
  expression.lastIndex = at;
  const found = expression.exec(text);
  if (!found) throw invalid('If-Match', 'must be * or a list of quoted entity tags, as in the ETag header');
  return { found, end: at + found[0].length };
}
