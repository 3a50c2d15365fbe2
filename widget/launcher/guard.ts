/** Runs what the site gave us; its mistakes are told and break nothing of ours. */
export function guard<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
