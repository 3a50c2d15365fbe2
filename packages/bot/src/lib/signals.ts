interface Process {
  getBuiltinModule?: (name: 'node:events') => { setMaxListeners: (count: number, signal: AbortSignal) => void };
}

/**
 * A controller whose signal takes any number of listeners. A bot has some for each chat that it handles, and model clients add their own;
 * Node warns of a leak from the 11th on.
 */
export function makeController(): AbortController {
  const controller = new AbortController();
  const { process } = globalThis as { process?: Process };
  process?.getBuiltinModule?.('node:events')?.setMaxListeners(0, controller.signal);
  return controller;
}
