import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** The screens that the panel fills. The style sheets have the same condition. */
const SMALL = '(max-width: 480px), (max-height: 480px)';

/** Whether the panel fills the screen. */
export const useSmallScreen = (): boolean => useLive(matchMedia(SMALL), 'change', isSmallScreen);

export const isSmallScreen = (): boolean => matchMedia(SMALL).matches;

/** Whether the page is visible. */
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

/** Fits the panel into the space above the on-screen keyboard, and keeps the page behind it from scrolling. */
export function useFullScreen(panel: RefObject<HTMLElement | null>, isFull: boolean): void {
  useLayoutEffect(() => {
    if (!isFull) return undefined;
    const { style } = panel.current!;
    const page = document.documentElement.style;
    const { overflow } = page;
    const viewport = document.defaultView!.visualViewport;
    const fit = () => {
      // A visitor who has zoomed in sees a part of the panel: fitting it would shrink it again.
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
