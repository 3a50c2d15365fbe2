import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of a hint's code: enough that none is found by trying. */
const CODE_BYTES = 16;
const CODE_LENGTH = Math.ceil((CODE_BYTES * 8) / 6);
const SEALED = new RegExp(`,"[\\w-]{${CODE_LENGTH}}"\\]$`);
/** What `,"code"]` adds to a list in place of its `]`. */
const TAIL_LENGTH = CODE_LENGTH + 4;

/**
 * Proves that a hint is of a node of this installation, and of this channel. The code (HMAC-SHA-256) becomes the last item
 * of the list that the hint is, where nodes of a release before leave it alone.
 */
export class HintSeal {
  constructor(private readonly key: Buffer) {}

  /** @param list the text of an array that is not empty, with whatever stands before it */
  seal(channel: string, list: string): string {
    return `${list.slice(0, -1)},"${this.code(channel, list).toString('base64url')}"]`;
  }

  /** The list that was sealed; null for one that was sealed elsewhere, for another channel, or never. */
  open(channel: string, sealed: string): string | null {
    const tail = sealed.slice(-TAIL_LENGTH);
    if (!SEALED.test(tail)) return null;
    const list = `${sealed.slice(0, -TAIL_LENGTH)}]`;
    const code = Buffer.from(tail.slice(2, -2), 'base64url');
    return timingSafeEqual(code, this.code(channel, list)) ? list : null;
  }

  private code(channel: string, list: string): Buffer {
    return createHmac('sha256', this.key).update(`${channel}\n${list}`).digest().subarray(0, CODE_BYTES);
  }
}
