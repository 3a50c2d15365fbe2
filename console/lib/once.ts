/** Runs something in one browser tab only: in the first that asks, and for `holds` milliseconds in no other. */
export async function onceInBrowser(name: string, holds: number, work: () => unknown): Promise<void> {
  // Pages without HTTPS have no locks.
  if (!navigator.locks) return void work();
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await work();
    await new Promise((resolve) => setTimeout(resolve, holds));
  });
}

/** Holds a name, which other tabs may hold too. Returns a function that releases it. */
export function holdName(name: string): () => void {
  const ending = new AbortController();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  navigator.locks?.request(name, { mode: 'shared', signal: ending.signal }, () => held).catch(() => undefined);
  return () => {
    release();
    ending.abort();
  };
}

/** Whether a tab of this browser holds a name. */
export async function isNameHeld(name: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some((lock) => lock.name === name);
}
