import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKit } from './kit.js';

const NEAR_END = 32;
const NEAR_START = 160;

/**
 * Holds the view where it belongs: at the end while the visitor is there, else still, whatever is added above or below.
 * @param waiting how many messages of the visitor are on their way: one more brings the view to the end
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
    // Sizes are told late, and the conversation may be gone by then.
    view.current?.scrollTo(0, view.current.scrollHeight);
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = view.current!;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END;
    // Content may have grown since the view was put to the end; only a way up leaves it.
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
    // Not the very first: it loses its name and its day when others come before it.
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
