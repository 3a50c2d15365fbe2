/** The fields of a resource, as a PATCH sends them. */
export type Fields = Record<string, unknown>;

/** The fields that changed, with their new values. */
export function changedFields(before: Fields, now: Fields): Fields {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSame(value, before[name])));
}

/** The fields of `mine` that the other side also changed, to another value. */
export function overlap(before: Fields, mine: Fields, theirs: Fields): string[] {
  return Object.keys(mine).filter((name) => !isSame(theirs[name], before[name]) && !isSame(theirs[name], mine[name]));
}

/** The next values of a form: `saved`, except for what was typed since the form was submitted. */
export function keepTyped<V extends object>(saved: V, submitted: V, current: V): V {
  return { ...saved, ...changedFields(submitted as Fields, current as Fields) };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
