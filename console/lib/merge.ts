/** The fields of a resource as a change names them. */
export type Fields = Record<string, unknown>;

/** The fields that differ from what they were, as they are now. */
export function changedFields(before: Fields, now: Fields): Fields {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, before[name])));
}

/** The fields of `mine` that the other side has set to something else since `before`. */
export function overlap(before: Fields, mine: Fields, theirs: Fields): string[] {
  return Object.keys(mine).filter((name) => !isSame(theirs[name], before[name]) && !isSame(theirs[name], mine[name]));
}

/** The next values of a form: `saved`, but what was typed since the form was submitted stays. */
export function keepTyped<V extends object>(saved: V, submitted: V, current: V): V {
  return { ...saved, ...changedFields(submitted as Fields, current as Fields) };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
