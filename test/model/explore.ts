/** A protocol: its first state, and the steps that its participants may take in any order. States are plain JSON. */
export interface Model<S> {
  initial: S;
  /** Every step that is possible in a state. The state isn't changed; `after` makes the next one. */
  steps(state: S): Iterable<Step<S>>;
  /** The invariant that a state breaks; null if none. */
  findBroken(state: S): string | null;
}

/** What happens, and the state afterwards. */
export type Step<S> = [label: string, next: S];

export interface Exploration {
  /** How many different states were reached. */
  states: number;
  /** The first invariant that a state breaks; null if every reachable state holds all of them. */
  broken: string | null;
  /** The fewest steps that lead there; empty if nothing is broken. */
  trace: string[];
}

/** More states than any of our models has: a model without an end fails instead of filling the memory. */
const MAX_STATES = 100_000;

/** Visits every reachable state, breadth first, and stops at the first one that breaks an invariant. */
export function explore<S>(model: Model<S>): Exploration {
  const places = new Map<string, number>();
  const keys: string[] = [];
  const origins: { from: number; label: string }[] = [];
  const visit = (state: S, from: number, label: string) => {
    const key = JSON.stringify(state);
    if (places.has(key)) return;
    places.set(key, keys.length);
    keys.push(key);
    origins.push({ from, label });
  };
  visit(model.initial, -1, '');
  for (let place = 0; place < keys.length; place++) {
    if (keys.length > MAX_STATES) throw new Error(`The model has more than ${MAX_STATES} states`);
    const state = JSON.parse(keys[place]!) as S;
    const broken = model.findBroken(state);
    if (broken !== null) return { states: keys.length, broken, trace: traceOf(origins, place) };
    for (const [label, next] of model.steps(state)) visit(next, place, label);
  }
  return { states: keys.length, broken: null, trace: [] };
}

/** A copy of a state with a change. */
export function after<S>(state: S, change: (next: S) => void): S {
  const next = JSON.parse(JSON.stringify(state)) as S;
  change(next);
  return next;
}

function traceOf(origins: readonly { from: number; label: string }[], place: number): string[] {
  const trace: string[] = [];
  for (let at = place; origins[at]!.from >= 0; at = origins[at]!.from) trace.unshift(origins[at]!.label);
  return trace;
}
