import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

type Options = Omit<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  'observeElementRect' | 'observeElementOffset' | 'scrollToFn' | 'onChange'
>;

/**
 * A virtual list: only the visible items and a few around them are in the page. Positions are computed again when `getItemKey`
 * is another function.
 */
export function useVirtual(options: Options): Virtualizer<HTMLElement, HTMLElement> {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement>>(undefined);
  const complete = {
    ...options,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => renderAgain(0),
  };
  if (kept.current) kept.current.setOptions(complete);
  else kept.current = new Virtualizer(complete);
  const virtual = kept.current;
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}
