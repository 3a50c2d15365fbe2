/** A call of the bot API, a poll, a poll that acknowledges events, or a webhook delivery. */
export type Traffic = 'call' | 'poll' | 'ack' | 'delivery';

/** What happens to it instead of being forwarded. */
export type Fault =
  /** It's delayed. */
  | 'delay'
  /** It gets a 500, and has no effect. */
  | 'refuse'
  /** Its connection is killed before it has an effect. */
  | 'cut'
  /** It has its effect, and gets a 503. */
  | 'fail'
  /** It has its effect, and its connection is killed before the response. */
  | 'lose'
  /** Its connection is killed in the middle of the response. */
  | 'halve'
  /** Acknowledged events are delivered again. */
  | 'repeat';

/** The faults in each deck. As many other cards have no fault. */
const DECKS: Record<Traffic, readonly Fault[]> = {
  call: ['delay', 'refuse', 'cut', 'fail', 'lose'],
  poll: ['delay', 'refuse', 'cut', 'lose', 'halve'],
  ack: ['delay', 'fail', 'lose', 'repeat', 'repeat', 'repeat'],
  delivery: ['delay', 'cut', 'lose', 'repeat', 'repeat'],
};
/** The most faults in a row, so that a bot that retries makes progress. */
const MAX_IN_A_ROW = 2;
/** The range of delays, in milliseconds. */
const DELAYS = { least: 100, most: 1_500 };

/** Draws faults from shuffled decks, so that even a short run has each of them. The same seed gives the same order. */
export class Chaos {
  /** Whether faults have ended. */
  isOver = false;
  /** How often each fault was chosen. */
  readonly counts = new Map<Fault, number>();
  private readonly decks = new Map<Traffic, (Fault | null)[]>();
  private readonly inARow = new Map<Traffic, number>();
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed;
  }

  /** The fault for the next piece of traffic; null: none. */
  draw(traffic: Traffic): Fault | null {
    const inARow = this.inARow.get(traffic) ?? 0;
    if (this.isOver) return null;
    const fault = inARow >= MAX_IN_A_ROW ? null : this.drawNext(traffic);
    this.inARow.set(traffic, fault ? inARow + 1 : 0);
    if (fault) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return fault;
  }

  /** Milliseconds of the next delay. */
  delay(): number {
    return DELAYS.least + this.next() * (DELAYS.most - DELAYS.least);
  }

  private drawNext(traffic: Traffic): Fault | null {
    let deck = this.decks.get(traffic) ?? [];
    if (deck.length === 0) this.decks.set(traffic, (deck = this.shuffle(DECKS[traffic])));
    return deck.pop()!;
  }

  private shuffle(faults: readonly Fault[]): (Fault | null)[] {
    const cards = [...faults, ...faults.map(() => null)];
    const keyed = cards.map((card) => ({ card, key: this.next() }));
    return keyed.sort((one, other) => one.key - other.key).map(({ card }) => card);
  }

  /** A number in [0, 1) (mulberry32). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
