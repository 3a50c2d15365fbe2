import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Where the panel takes all of the screen; the style sheets say the same. */
const SMALL = '(max-width: 480px), (max-height: 480px)';

/** Whether the screen is so small that the panel takes all of it. */
export function useSmallScreen(): boolean {
  const [isSmall, setSmall] = useState(() => matchMedia(SMALL).matches);
  useLayoutEffect(() => {
    const query = matchMedia(SMALL);
    const update = () => setSmall(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isSmall;
}

/** Whether the page can be seen. */
export function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden);
  useEffect(() => {
    const update = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}

/** Fits the panel into what the on-screen keyboard leaves, and holds the page behind it still. */
export function useFullScreen(panel: RefObject<HTMLElement | null>, isFull: boolean): void {
  useLayoutEffect(() => {
    if (!isFull) return undefined;
    const { style } = panel.current!;
    const page = document.documentElement.style;
    const { overflow } = page;
    const viewport = window.visualViewport;
    const fit = () => {
      // Who has zoomed in wants to look at a part, not to have it made small again.
      if (!viewport || viewport.scale > 1.01) return;
      style.setProperty('--top', `${viewport.offsetTop}px`);
      style.setProperty('--height', `${viewport.height}px`);
    };
    page.overflow = 'hidden';
    fit();
    viewport?.addEventListener('resize', fit);
    viewport?.addEventListener('scroll', fit);
    return () => {
      page.overflow = overflow;
      viewport?.removeEventListener('resize', fit);
      viewport?.removeEventListener('scroll', fit);
    };
  }, [isFull]);
}
