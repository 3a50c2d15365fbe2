/** What is stored, or may be. */
export interface Stored {
  messages: number;
  bytes: number;
}

/** What is counted apart: each has an amount of its own. */
export type Measure = keyof Stored;

const MEASURES: readonly Measure[] = ['messages', 'bytes'];
const NOTHING: Stored = { messages: 0, bytes: 0 };
/** Keys that are counted at most, about 25 MB: coming from more addresses costs no more memory. */
export const MAX_KEYS = 100_000;
/** Keys of a generation; those that are used move to the young one, and when it is full the old one is forgotten. */
const GENERATION = MAX_KEYS / 2;
/** Of the forgotten ones, so many are kept that have spent this part of an amount: many new keys wash nobody clean. */
const MAX_KEPT = 10_000;
const PART_KEPT = 1 / 10;
const DAY = 24 * 60 * 60 * 1000;
/** The others are told each time this part of an amount was stored here. */
const PART_TOLD = 1 / 20;

interface Account {
  spent: Stored;
  /** When that was so, in milliseconds. */
  at: number;
  /** What was stored here since the others were told. */
  untold: Stored;
}

/**
 * Counts what each key has stored against an amount for a day. What was spent comes back evenly over the day, so a key
 * that has spent all may go on a little later. An amount of 0 is no limit.
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

  /** What there is too little left of, and the seconds until there is enough; null when all of it may be stored. */
  findExceeded(key: string, wanted: Stored, now: number): { measure: Measure; seconds: number } | null {
    const spent = this.spentBy(this.find(key), now);
    for (const measure of MEASURES) {
      const amount = this.perDay[measure];
      const missing = spent[measure] + wanted[measure] - amount;
      if (amount > 0 && wanted[measure] > 0 && missing > 0)
        return { measure, seconds: ((missing / amount) * DAY) / 1000 };
    }
    return null;
  }

  /** Counts what was stored here; a negative amount is given back. Answers what the others should be told of now. */
  spend(key: string, stored: Stored, now: number): Stored | null {
    if (this.isOff) return null;
    const account = this.change(key, stored, now);
    const untold = sum(account.untold, stored);
    const isDue = MEASURES.some((measure) => isPart(untold[measure], this.perDay[measure]));
    account.untold = isDue ? NOTHING : untold;
    return isDue ? untold : null;
  }

  /** Counts what was stored elsewhere. */
  receive(key: string, stored: Stored, now: number): void {
    if (!this.isOff) this.change(key, stored, now);
  }

  private find(key: string): Account | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  private change(key: string, stored: Stored, now: number): Account {
    const known = this.find(key);
    const spent = sum(this.spentBy(known, now), stored);
    const account = { spent, at: now, untold: known?.untold ?? NOTHING };
    if (!this.young.has(key) && this.young.size >= GENERATION) this.age(now);
    this.old.delete(key);
    this.young.set(key, account);
    return account;
  }

  private age(now: number): void {
    const forgotten = this.old;
    this.old = this.young;
    this.young = new Map();
    for (const [key, account] of forgotten) {
      if (this.young.size === MAX_KEPT) return;
      if (this.partOf(this.spentBy(account, now)) >= PART_KEPT) this.young.set(key, account);
    }
  }

  private spentBy(account: Account | undefined, now: number): Stored {
    if (!account) return NOTHING;
    const part = Math.max(0, now - account.at) / DAY;
    const left = (measure: Measure) => Math.max(0, account.spent[measure] - part * this.perDay[measure]);
    return { messages: left('messages'), bytes: left('bytes') };
  }

  private partOf(spent: Stored): number {
    return Math.max(...MEASURES.map((measure) => (this.perDay[measure] ? spent[measure] / this.perDay[measure] : 0)));
  }
}

function sum(one: Stored, other: Stored): Stored {
  return { messages: one.messages + other.messages, bytes: one.bytes + other.bytes };
}

function isPart(untold: number, amount: number): boolean {
  return amount > 0 && untold >= amount * PART_TOLD;
}
