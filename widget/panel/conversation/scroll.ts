import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../lib/context.js';

const NEAR_END_PX = 32;
const NEAR_START_PX = 160;
/** The space above a message that is read from its beginning. */
const ABOVE_PX = 8;

/**
 * Keeps the view at the end while the visitor is at the end. Otherwise keeps it still while messages are added above or below.
 * @param waiting the number of pending messages: when it grows, the view moves to the end
 */
export function useScroll(waiting: number, isOpen: boolean) {
  const view = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useRef(true);
  const lastTop = useRef(0);
  const lastWaiting = useRef(waiting);
  const wasOpen = useRef(isOpen);
  const first = useRef<{ element: HTMLElement; top: number }>(undefined);
  /** The rows whose end was seen. */
  const seen = useRef(new Set<string>());
  const [isAtEnd, setAtEnd] = useState(true);
  const loadEarlier = useEarlier();

  const toEnd = () => {
    isHeld.current = true;
    // The observer reports sizes late: the conversation may be unmounted by then.
    view.current?.scrollTo(0, (lastTop.current = view.current.scrollHeight - view.current.clientHeight));
  };
  // A new message taller than the view is read from its beginning.
  const toNews = () => {
    // The greeting of an empty chat is read from its beginning.
    if (view.current && !lastRowOf(view.current)) return;
    const news = view.current && newsIn(view.current, seen.current);
    toEnd();
    // It fits: the visitor sees its end, which stays in sight when an on-screen keyboard takes room.
    if (!news || news.offsetTop - ABOVE_PX >= lastTop.current)
      return void (view.current && wasOpen.current && see(view.current, seen.current));
    view.current!.scrollTo(0, (lastTop.current = news.offsetTop - ABOVE_PX));
    isHeld.current = false;
    setAtEnd(false);
  };
  const onScroll = () => {
    // Scroll events arrive with the next frame, when the conversation may already be unmounted.
    if (!view.current) return;
    const { scrollTop, scrollHeight, clientHeight } = view.current;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    // The content may have grown after the view moved to the end. Only scrolling up leaves the end.
    isHeld.current = isNear || (isHeld.current && scrollTop >= lastTop.current);
    // The visitor scrolled to the end, and stays at the end.
    if (isNear && scrollTop > lastTop.current + 1) see(view.current, seen.current);
    lastTop.current = scrollTop;
    setAtEnd(isHeld.current);
    if (scrollTop < NEAR_START_PX) loadEarlier();
  };

  useLayoutEffect(() => {
    const element = view.current!;
    if (waiting > lastWaiting.current || (isOpen && !wasOpen.current)) isHeld.current = true;
    lastWaiting.current = waiting;
    wasOpen.current = isOpen;
    // Measuring takes time, and only matters while the panel is open.
    if (!isOpen) return;
    const before = first.current;
    if (isHeld.current) toNews();
    else if (before?.element.isConnected) element.scrollTop += before.element.offsetTop - before.top;
    // The second message: the first one loses its name and date when older messages are added, which moves it.
    const now = element.querySelectorAll<HTMLElement>('[data-id]')[1];
    first.current = now ? { element: now, top: now.offsetTop } : undefined;
    if (element.scrollHeight <= element.clientHeight) loadEarlier();
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => isHeld.current && toNews());
    observer.observe(view.current!);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);

  return { view, list, isAtEnd, isHeld, toEnd, onScroll };
}

/** The first new row: the divider, or the last message unless it's the visitor's. */
function newsIn(view: HTMLElement, seen: Set<string>): HTMLElement | undefined {
  const last = lastRowOf(view);
  const key = last ? keyOf(last) : '';
  // Live text that the visitor follows isn't new, and neither is the message that replaces it.
  if (last?.matches('.theirs:not(.silent,[data-id])')) seen.add('');
  if (key && seen.delete('')) seen.add(key);
  const begin = view.querySelector<HTMLElement>('.fresh') ?? last;
  return last?.matches('.theirs') && !seen.has(key) ? begin : undefined;
}

function lastRowOf(view: HTMLElement): HTMLElement | undefined {
  return [...view.querySelectorAll<HTMLElement>('.row')].at(-1);
}

function see(view: HTMLElement, seen: Set<string>): void {
  const last = lastRowOf(view);
  if (last) seen.add(keyOf(last));
}

/** Empty for a message that is still being written. */
const keyOf = (row: HTMLElement): string => row.dataset.id ?? '';

/** Returns a function that loads the page before the first message, one page at a time. */
function useEarlier(): () => void {
  const { client } = usePanel();
  const isLoading = useRef(false);
  return () => {
    if (isLoading.current || !client.hasEarlier.value) return;
    isLoading.current = true;
    const done = () => void (isLoading.current = false);
    client.loadEarlier().then(done, done);
  };
}
