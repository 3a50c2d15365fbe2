import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKit } from './kit.js';

const NEAR_END = 32;
const NEAR_START = 160;

/**
 * Keeps the view at the end while the visitor is there. Else keeps it still while messages are added above or below.
 * @param waiting the number of pending messages: when it grows, the view moves to the end
 */
export function useScroll(waiting: number) {
  const view = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useRef(true);
  const lastTop = useRef(0);
  const lastWaiting = useRef(waiting);
  const first = useRef<{ element: HTMLElement; top: number }>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const loadEarlier = useEarlier();

  const toEnd = () => {
    isHeld.current = true;
    // The observer reports sizes late: the conversation may be unmounted by then.
    view.current?.scrollTo(0, view.current.scrollHeight);
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = view.current!;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END;
    // The content may have grown after the view moved to the end. Only scrolling up leaves the end.
    isHeld.current = isNear || (isHeld.current && scrollTop >= lastTop.current);
    lastTop.current = scrollTop;
    setAtEnd(isHeld.current);
    if (scrollTop < NEAR_START) loadEarlier();
  };

  useLayoutEffect(() => {
    const element = view.current!;
    if (waiting > lastWaiting.current) isHeld.current = true;
    lastWaiting.current = waiting;
    const before = first.current;
    if (isHeld.current) toEnd();
    else if (before?.element.isConnected) element.scrollTop += before.element.offsetTop - before.top;
    // The second message: the first one loses its name and date when older messages are added, which moves it.
    const now = element.querySelectorAll<HTMLElement>('[data-id]')[1];
    first.current = now ? { element: now, top: now.offsetTop } : undefined;
    if (element.scrollHeight <= element.clientHeight) loadEarlier();
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => isHeld.current && toEnd());
    observer.observe(view.current!);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);

  return { view, list, isAtEnd, isHeld, toEnd, onScroll };
}

/** Returns a function that loads the page before the first message, one page at a time. */
function useEarlier(): () => void {
  const { client } = useKit();
  const isLoading = useRef(false);
  return () => {
    if (isLoading.current || !client.hasEarlier.value) return;
    isLoading.current = true;
    const done = () => void (isLoading.current = false);
    client.loadEarlier().then(done, done);
  };
}
