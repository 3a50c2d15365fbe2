import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

let last = 0;

/** How wide an element is, in pixels, and follows it; until it is in the page, as wide as the one before. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(last);
  useLayoutEffect(() => {
    const measured = element.current!;
    const measure = () => setWidth((last = Math.round(measured.getBoundingClientRect().width)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return width;
}
