/** Runs a function of the site, and reports its errors to the console. */
export function guard<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
