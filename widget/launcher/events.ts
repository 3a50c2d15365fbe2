import type { WidgetEvents } from '../types.js';
import { guard } from './guard.js';

type Listener = (value: never) => void;

/** Who listens to what. `ready` happens once, so who comes late is told at once. */
export function createEvents() {
  const listeners: Record<string, Set<Listener>> = {};
  let isReady = false;
  return {
    on: (event: string, listener: Listener): (() => void) => {
      const all = (listeners[event] ??= new Set());
      all.add(listener);
      if (isReady && event === 'ready') guard(() => listener(undefined as never));
      return () => void all.delete(listener);
    },
    emit: <E extends keyof WidgetEvents>(event: E, value: WidgetEvents[E]): void => {
      isReady ||= event === 'ready';
      for (const listener of listeners[event] ?? []) guard(() => listener(value as never));
    },
  };
}
