/** Milliseconds below which a time is noise. */
const FLOOR = 2;
const TRIES = 5;

/** An input of any length. */
export interface Growing {
  name: string;
  make(length: number): string;
}

/** How much longer an input of twice the length takes, measured from one length to another; 1 when it takes almost no time. */
export function growthOf(run: (text: string) => void, input: Growing, from: number, to: number): number {
  const [short, long] = [input.make(from), input.make(to)];
  const longTime = leastTime(() => run(long), FLOOR);
  if (longTime <= FLOOR) return 1;
  const shortTime = Math.max(
    leastTime(() => run(short), 0),
    FLOOR / 3,
  );
  return (longTime / shortTime) ** (1 / Math.log2(to / from));
}

/** The minimum of several runs, or the first that is short enough. */
function leastTime(run: () => void, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > enough; tries++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** The end of an input: empty, or a character that prevents a match. */
const ENDS = ['', ' \u0001'];

/** Texts that repeat each piece after each beginning. */
export function pumped(beginnings: readonly string[], pieces: readonly string[]): Growing[] {
  return beginnings.flatMap((beginning) =>
    pieces.flatMap((piece) =>
      ENDS.map((end) => ({
        name: JSON.stringify(`${beginning}${piece}…${end}`),
        make: (length: number) => beginning + piece.repeat(Math.ceil(length / piece.length)) + end,
      })),
    ),
  );
}
