/** A call of the bot API, a call for events, one that acknowledges some, or the delivery of an event to the bot's address. */
export type Traffic = 'call' | 'poll' | 'ack' | 'delivery';

/** What is done to it instead of passing it on. */
export type Fault =
  /** It waits for a while. */
  | 'delay'
  /** It is answered 500, and has no effect. */
  | 'refuse'
  /** Its connection is killed before it has an effect. */
  | 'cut'
  /** It has its effect, and is answered 503. */
  | 'fail'
  /** It has its effect, and its connection is killed before the answer. */
  | 'lose'
  /** Its connection is killed in the middle of the answer. */
  | 'halve'
  /** Events that were done come again. */
  | 'repeat';

/** The faults of one deck; as many draws again bring none. */
const DECKS: Record<Traffic, readonly Fault[]> = {
  call: ['delay', 'refuse', 'cut', 'fail', 'lose'],
  poll: ['delay', 'refuse', 'cut', 'lose', 'halve'],
  ack: ['delay', 'fail', 'lose', 'repeat', 'repeat', 'repeat'],
  delivery: ['delay', 'cut', 'lose', 'repeat', 'repeat'],
};
/** The most faults in a row, so that a bot that repeats its requests gets on. */
const MAX_IN_A_ROW = 2;
/** Milliseconds of a delay. */
const DELAYS = { least: 100, most: 1_500 };

/** Chooses the faults: from shuffled decks, so that a short run has each of them too. The same seed gives the same order. */
export class Chaos {
  /** Once it is set there are no more faults. */
  isOver = false;
  /** How often each fault was chosen. */
  readonly counts = new Map<Fault, number>();
  private readonly decks = new Map<Traffic, (Fault | null)[]>();
  private readonly inARow = new Map<Traffic, number>();
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed;
  }

  /** The fault of the next piece of traffic; null: none. */
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

  /** A number from 0 to below 1 (mulberry32). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
