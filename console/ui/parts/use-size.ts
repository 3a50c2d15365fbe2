import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface Size {
  width: number;
  height: number;
}

/** By what is measured, for the next that is measured in its place. */
const last = new Map<string, Size>();

/**
 * How large an element is, in pixels, and follows it; until it is in the page, as large as the one before of its kind.
 * @param guess for the first of its kind
 */
export function useSize(element: RefObject<HTMLElement | null>, kind: string, guess: Size): Size {
  const [size, setSize] = useState(last.get(kind) ?? guess);
  useLayoutEffect(() => {
    const measured = element.current!;
    const measure = () => {
      const { width, height } = measured.getBoundingClientRect();
      last.set(kind, { width, height });
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return size;
}
