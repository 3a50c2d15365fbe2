import type { WidgetEvents } from '../types.js';
import { guard } from './guard.js';

type Listener = (value: never) => void;

/** The listeners of the page. `ready` happens once; a listener that is added later is called immediately. */
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
