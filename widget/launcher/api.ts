import { guard } from './guard.js';

export type Commands = Record<string, (...args: never[]) => unknown>;

/** `Parley('open')`. A stub in the page keeps the calls in `q` until the script has loaded. */
export interface ParleyFunction {
  (command: string, ...args: unknown[]): unknown;
  q?: ArrayLike<unknown>[];
  /** The widget's key. */
  isLoaded?: string;
}

declare global {
  interface Window {
    Parley?: ParleyFunction;
  }
}

/** Installs the global function, and runs the calls of the stub. */
export function installApi(widgetKey: string, commands: Commands): void {
  const queue = window.Parley?.q ?? [];
  const parley: ParleyFunction = (name, ...args) => {
    return guard(() =>
      Object.hasOwn(commands, name)
        ? commands[name]!(...(args as never[]))
        : commands.run!(name as never, ...(args as never[])),
    );
  };
  parley.isLoaded = widgetKey;
  window.Parley = parley;
  for (const call of queue) parley(...([].slice.call(call) as unknown as [string]));
}
