import { useEffect, useRef, useState } from 'preact/hooks';
import { staleAt } from '../../state/live.js';
import type { Page } from '../api.js';

/** A value loaded from the service. */
export interface Reading<T> {
  /** Undefined until it's loaded. */
  value: T | undefined;
  failure: unknown;
  /** Loads it again. The current value stays until the response arrives. */
  again: () => void;
  /** The same, until the response is shown. */
  reread: () => Promise<void>;
  set: (value: T) => void;
}

/** Loads a value, and again when one of `inputs` changes. Outdated responses are ignored. */
export function useReading<T>(read: () => Promise<T>, inputs: readonly unknown[] = []): Reading<T> {
  const [state, setState] = useState<{ value?: T; failure?: unknown }>({});
  const turn = useRef(0);
  const reread = () => {
    const own = ++turn.current;
    return read().then(
      (value) => void (own === turn.current && setState({ value })),
      (failure: unknown) => void (own === turn.current && setState(({ value }) => ({ value, failure }))),
    );
  };
  const set = (value: T) => {
    turn.current++;
    setState({ value });
  };
  useEffect(() => {
    setState({});
    void reread();
    return () => void turn.current++;
  }, inputs);
  return { value: state.value, failure: state.failure, again: () => void reread(), reread, set };
}

/** Loads a value, and again when groups or colleagues have changed. */
export function useLiveReading<T>(read: () => Promise<T>): Reading<T> {
  const reading = useReading(read);
  const { value: at } = staleAt;
  const readAt = useRef(at);
  useEffect(() => {
    if (readAt.current === at) return;
    readAt.current = at;
    reading.again();
  }, [at]);
  return reading;
}

export interface Pages<T> extends Omit<Reading<T[]>, 'set'> {
  /** Changes the rows that are shown, if any. */
  update: (change: (rows: T[]) => T[]) => void;
  hasMore: boolean;
  isReadingMore: boolean;
  more: () => void;
}

/** Loads a list page by page. */
export function usePages<T>(
  read: (cursor: string | null) => Promise<Page<T>>,
  inputs: readonly unknown[] = [],
): Pages<T> {
  const [isReadingMore, setReadingMore] = useState(false);
  const reading = useReading(() => read(null), inputs);
  const { value, set } = reading;
  const shown = useRef(value);
  shown.current = value;
  const more = () => {
    if (!value?.cursor || isReadingMore) return;
    setReadingMore(true);
    read(value.cursor)
      // The list may have changed while the page was loading.
      .then(({ rows, cursor }) => shown.current === value && set({ rows: [...value.rows, ...rows], cursor }))
      .catch(() => undefined)
      .finally(() => setReadingMore(false));
  };
  return {
    value: value?.rows,
    failure: reading.failure,
    again: reading.again,
    reread: reading.reread,
    update: (change) => {
      const { current } = shown;
      if (current) set({ ...current, rows: change(current.rows) });
    },
    hasMore: Boolean(value?.cursor),
    isReadingMore,
    more,
  };
}

/** Runs something again and again while the page is visible. @param interval in milliseconds */
export function useEvery(interval: number, work: () => void, inputs: readonly unknown[] = []): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && work(), interval);
    return () => clearInterval(timer);
  }, inputs);
}
