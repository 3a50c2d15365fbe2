/** The ends of what a socket asked for last, of each kind of which the order counts. */
export interface Turns {
  sends: Promise<unknown>;
  typing: Promise<unknown>;
  /** What an agent follows and watches. */
  views: Promise<unknown>;
}

export function beginTurns(): Turns {
  return { sends: Promise.resolve(), typing: Promise.resolve(), views: Promise.resolve() };
}

/** Runs the work of one kind of a socket piece by piece, in the order of its arrival. */
export function inTurn<T>(turns: Turns, kind: keyof Turns, work: () => Promise<T>): Promise<T> {
  const done = turns[kind].then(work);
  turns[kind] = done.catch(() => undefined);
  return done;
}
