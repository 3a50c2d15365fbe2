/** Does something in one of the browser's tabs: in the first that gets there, and for so many milliseconds in no other. */
export async function onceInBrowser(name: string, holds: number, work: () => unknown): Promise<void> {
  // A page that came without encryption has no locks.
  if (!navigator.locks) return void work();
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    await work();
    await new Promise((resolve) => setTimeout(resolve, holds));
  });
}

/** Holds a name, beside other tabs that hold it too. Returns what ends it. */
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
