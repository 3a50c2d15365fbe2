/** An amount of stored messages and bytes. */
export interface Stored {
  messages: number;
  bytes: number;
}

/** What is counted; each measure has its own limit. */
export type Measure = keyof Stored;

const MEASURES: readonly Measure[] = ['messages', 'bytes'];
const NONE: Stored = { messages: 0, bytes: 0 };
/** The most keys that are counted, which take about 25 MB. */
export const MAX_KEYS = 100_000;
/** The keys in one generation. A used key moves to the young generation. When that is full, the old one is evicted. */
const GENERATION_SIZE = MAX_KEYS / 2;
/**
 * The most evicted keys that are retained because they have spent this share of a limit. So a client can't reset its count by
 * using many new keys.
 */
const MAX_RETAINED = 10_000;
const MIN_SHARE_RETAINED = 1 / 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A node publishes whenever it has stored this share of a limit. */
const PUBLISH_SHARE = 1 / 20;

interface Account {
  spent: Stored;
  /** The time of `spent`, in milliseconds. */
  at: number;
  /** What was stored on this node since it last published. */
  unpublished: Stored;
}

/**
 * Counts what each key stores against a daily limit. Spent amounts recover evenly over the day, so a key that has spent
 * everything may soon store a little again. A limit of 0 means no limit.
 */
export class DailyAllowance {
  private young = new Map<string, Account>();
  private old = new Map<string, Account>();

  private readonly isOff: boolean;

  constructor(private readonly perDay: Stored) {
    this.isOff = MEASURES.every((measure) => perDay[measure] === 0);
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** The measure that would exceed its limit, and the seconds until it fits; null when everything may be stored. */
  findExceeded(key: string, wanted: Stored, now: number): { measure: Measure; seconds: number } | null {
    const spent = this.spentBy(this.find(key), now);
    for (const measure of MEASURES) {
      const amount = this.perDay[measure];
      const missing = spent[measure] + wanted[measure] - amount;
      if (amount > 0 && wanted[measure] > 0 && missing > 0)
        return { measure, seconds: ((missing / amount) * DAY_MS) / 1000 };
    }
    return null;
  }

  /**
   * Counts what was stored on this node; a negative amount is given back. Returns what to publish to the other nodes now.
   */
  spend(key: string, stored: Stored, now: number): Stored | null {
    if (this.isOff) return null;
    const account = this.change(key, stored, now);
    const unpublished = sum(account.unpublished, stored);
    const isDue = MEASURES.some((measure) => isPublishDue(unpublished[measure], this.perDay[measure]));
    account.unpublished = isDue ? NONE : unpublished;
    return isDue ? unpublished : null;
  }

  /** Counts what was stored on another node. */
  receive(key: string, stored: Stored, now: number): void {
    if (!this.isOff) this.change(key, stored, now);
  }

  private find(key: string): Account | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  private change(key: string, stored: Stored, now: number): Account {
    const known = this.find(key);
    const spent = sum(this.spentBy(known, now), stored);
    const account = { spent, at: now, unpublished: known?.unpublished ?? NONE };
    if (!this.young.has(key) && this.young.size >= GENERATION_SIZE) this.rotate(now);
    this.old.delete(key);
    this.young.set(key, account);
    return account;
  }

  private rotate(now: number): void {
    const evicted = this.old;
    this.old = this.young;
    this.young = new Map();
    for (const [key, account] of evicted) {
      if (this.young.size === MAX_RETAINED) return;
      if (this.shareOf(this.spentBy(account, now)) >= MIN_SHARE_RETAINED) this.young.set(key, account);
    }
  }

  private spentBy(account: Account | undefined, now: number): Stored {
    if (!account) return NONE;
    const share = Math.max(0, now - account.at) / DAY_MS;
    const left = (measure: Measure) => Math.max(0, account.spent[measure] - share * this.perDay[measure]);
    return { messages: left('messages'), bytes: left('bytes') };
  }

  private shareOf(spent: Stored): number {
    return Math.max(...MEASURES.map((measure) => (this.perDay[measure] ? spent[measure] / this.perDay[measure] : 0)));
  }
}

function sum(one: Stored, other: Stored): Stored {
  return { messages: one.messages + other.messages, bytes: one.bytes + other.bytes };
}

function isPublishDue(unpublished: number, amount: number): boolean {
  return amount > 0 && unpublished >= amount * PUBLISH_SHARE;
}
