import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../lib/secrets.js';

/** Length of a hint's authentication code: too long to guess. */
const CODE_BYTES = 16;
const CODE_LENGTH = Math.ceil((CODE_BYTES * 8) / 6);
const SIGNED = new RegExp(`,"[\\w-]{${CODE_LENGTH}}"\\]$`);
/** Characters of `,"code"]`, which replaces the `]` at the end of a list. */
const TAIL_LENGTH = CODE_LENGTH + 4;

/**
 * Proves that a hint comes from a node of this installation and was sent on this channel. The code (HMAC-SHA-256) is
 * appended to the hint's list as its last item, which nodes of the previous release ignore.
 */
export class HintSigner {
  constructor(private readonly keys: Keys) {}

  /** @param list the JSON text of a non-empty array, with any prefix before it */
  sign(channel: string, list: string): string {
    return `${list.slice(0, -1)},"${codeOf(this.keys[0], channel, list).toString('base64url')}"]`;
  }

  /** Returns the list without its code; null when the code is missing or belongs to another installation or channel. */
  verify(channel: string, sealed: string): string | null {
    const tail = sealed.slice(-TAIL_LENGTH);
    if (!SIGNED.test(tail)) return null;
    const list = `${sealed.slice(0, -TAIL_LENGTH)}]`;
    const code = Buffer.from(tail.slice(2, -2), 'base64url');
    return this.keys.some((key) => timingSafeEqual(code, codeOf(key, channel, list))) ? list : null;
  }
}

function codeOf(key: Buffer, channel: string, list: string): Buffer {
  return createHmac('sha256', key).update(`${channel}\n${list}`).digest().subarray(0, CODE_BYTES);
}
