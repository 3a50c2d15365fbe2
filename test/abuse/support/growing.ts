/** Milliseconds below which a time is noise. */
const FLOOR = 2;
const TRIES = 5;

/** An input of any length. */
export interface Growing {
  name: string;
  make(length: number): string;
}

/** How much longer an input of twice the length takes; 1 when it takes almost no time. */
export function growthOf(run: (text: string) => void, input: Growing, length: number): number {
  const [once, twice] = [input.make(length), input.make(2 * length)];
  const long = leastTime(() => run(twice), FLOOR);
  return long <= FLOOR
    ? 1
    : long /
        Math.max(
          leastTime(() => run(once), 0),
          FLOOR / 3,
        );
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
