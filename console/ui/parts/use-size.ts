import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface Size {
  width: number;
  height: number;
}

/** The last size of each kind of element. */
const last = new Map<string, Size>();

/**
 * The size of an element in pixels, kept up to date. Until it's measured, the last size of its kind is used.
 * @param guess used until then
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
