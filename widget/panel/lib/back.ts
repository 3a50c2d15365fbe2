import { useLayoutEffect } from 'preact/hooks';

/** Marks the entry of the history that an open panel adds, beside what the page keeps in its own. */
const MARK = 'parley';

const isOurs = (state: unknown): boolean => !!(state as Record<string, unknown> | null)?.[MARK];

/**
 * Makes Back close the panel where it covers the page: opening adds an entry to the history, with the page's own address and state. So the
 * page's router, which also receives Back, stays where it is.
 * @returns what the visitor's closing calls: it leaves the entry, so that Back need not be pressed twice
 */
export function useBack(isFull: boolean, close: () => void): () => void {
  useLayoutEffect(() => {
    if (!isFull) return undefined;
    const state = history.state as object | null;
    if (!isOurs(state)) history.pushState({ ...state, [MARK]: true }, '');
    const onPop = (event: PopStateEvent) => {
      if (!isOurs(event.state)) close();
    };
    const page = document.defaultView!;
    page.addEventListener('popstate', onPop);
    return () => {
      page.removeEventListener('popstate', onPop);
      // The page closed it, and may be about to go elsewhere: going back now would take the visitor along.
      if (isOurs(history.state)) history.replaceState(state, '');
    };
  }, [isFull]);
  return () => (isFull && isOurs(history.state) ? history.back() : close());
}
