import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Where the panel takes all of the screen; the style sheets say the same. */
const SMALL = '(max-width: 480px), (max-height: 480px)';

/** Whether the screen is so small that the panel takes all of it. */
export const useSmallScreen = (): boolean => useLive(matchMedia(SMALL), 'change', () => matchMedia(SMALL).matches);

/** Whether the page can be seen. */
export const useVisible = (): boolean => useLive(document, 'visibilitychange', () => !document.hidden);

function useLive(target: EventTarget, event: string, read: () => boolean): boolean {
  const [value, setValue] = useState(read);
  useLayoutEffect(() => {
    const update = () => setValue(read());
    target.addEventListener(event, update);
    return () => target.removeEventListener(event, update);
  }, []);
  return value;
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
