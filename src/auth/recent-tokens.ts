import { sha256 } from '../platform/lib/secrets.js';

/** The most tokens that are remembered as recently valid. */
const MAX_VALID = 10_000;

/** A token whose form is valid. */
export interface PresentedToken {
  hash: Buffer;
  /** The key of its rate limit: its hash as text. */
  key: string;
  /** Whether it was valid when it was last used. Each request still checks it in the database. */
  wasValid: boolean;
}

/** Remembers which tokens were valid when they were last used: they are no guesses. */
export class RecentTokens {
  private readonly valid = new Set<string>();

  present(text: string): PresentedToken {
    const hash = sha256(text);
    const key = hash.toString('base64url');
    return { hash, key, wasValid: this.valid.has(key) };
  }

  mark({ key }: PresentedToken, isValid: boolean): void {
    if (!isValid) this.valid.delete(key);
    else if (!this.valid.has(key)) this.add(key);
  }

  private add(key: string): void {
    if (this.valid.size >= MAX_VALID) this.valid.clear();
    this.valid.add(key);
  }
}
