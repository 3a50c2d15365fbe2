import { guard } from './guard.js';

export type Commands = Record<string, (...args: never[]) => unknown>;

/** `Parley('open')`. Before the script is there, a page's stub keeps the calls in `q`. */
export interface ParleyFunction {
  (command: string, ...args: unknown[]): unknown;
  q?: ArrayLike<unknown>[];
  isLoaded?: true;
}

declare global {
  interface Window {
    Parley?: ParleyFunction;
  }
}

/** Makes the one global, and does what was asked for before. */
export function installApi(commands: Commands): void {
  const queue = window.Parley?.q ?? [];
  const parley = (name: string, ...args: unknown[]) => {
    if (!Object.hasOwn(commands, name)) return console.error(`Parley: there is no command "${name}"`);
    return guard(() => commands[name]!(...(args as never[])));
  };
  window.Parley = Object.assign(parley, { isLoaded: true as const });
  for (const call of queue) parley(...(Array.from(call) as [string]));
}
