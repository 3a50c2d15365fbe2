/** Runs a function of the site, and reports its errors to the console. */
export function guard<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

/** Runs in a microtask. Pages may have changed `queueMicrotask` and `Promise`, but not this. */
export async function afterNow(work: () => unknown): Promise<void> {
  await (null as unknown as Promise<null>);
  work();
}
