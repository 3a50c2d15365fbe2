import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKit } from '../lib/context.js';

const NEAR_END = 32;
const NEAR_START = 160;
/** What is seen above a message that is read from its beginning, in pixels. */
const ABOVE = 8;

/**
 * Keeps the view at the end while the visitor is there. Else keeps it still while messages are added above or below.
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
  // What is new and longer than the view is read from its beginning.
  const toNews = () => {
    // The greeting of an empty chat is read from its beginning.
    if (view.current && !lastRowOf(view.current)) return;
    const news = view.current && newsIn(view.current, seen.current);
    toEnd();
    if (!news || news.offsetTop - ABOVE >= lastTop.current) return;
    view.current!.scrollTo(0, (lastTop.current = news.offsetTop - ABOVE));
    isHeld.current = false;
    setAtEnd(false);
  };
  const onScroll = () => {
    // The browser tells of scrolling with its next frame: the conversation may be unmounted by then.
    if (!view.current) return;
    const { scrollTop, scrollHeight, clientHeight } = view.current;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END;
    // The content may have grown after the view moved to the end. Only scrolling up leaves the end.
    isHeld.current = isNear || (isHeld.current && scrollTop >= lastTop.current);
    // The visitor has gone to the end, and is to stay there.
    if (isNear && scrollTop > lastTop.current + 1) see(view.current, seen.current);
    lastTop.current = scrollTop;
    setAtEnd(isHeld.current);
    if (scrollTop < NEAR_START) loadEarlier();
  };

  useLayoutEffect(() => {
    const element = view.current!;
    if (waiting > lastWaiting.current || (isOpen && !wasOpen.current)) isHeld.current = true;
    lastWaiting.current = waiting;
    wasOpen.current = isOpen;
    // Where things are matters to those who see them, and takes time to find out.
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

/** Where what is new begins: at the divider, else with the last message when it is not the visitor's. */
function newsIn(view: HTMLElement, seen: Set<string>): HTMLElement | undefined {
  const last = lastRowOf(view);
  const key = last ? keyOf(last) : '';
  // What is followed while it is written is no news, nor is the message in its place.
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
  const { client } = useKit();
  const isLoading = useRef(false);
  return () => {
    if (isLoading.current || !client.hasEarlier.value) return;
    isLoading.current = true;
    const done = () => void (isLoading.current = false);
    client.loadEarlier().then(done, done);
  };
}
