import { useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../api.js';

/** Something that is read from the service. */
export interface Reading<T> {
  /** Undefined until it is read. */
  value: T | undefined;
  failure: unknown;
  /** Reads it again; what is there stays until the answer is. */
  again: () => void;
  set: (value: T) => void;
}

/** Reads something, and again when one of `inputs` has changed. An answer that was overtaken changes nothing. */
export function useReading<T>(read: () => Promise<T>, inputs: readonly unknown[] = []): Reading<T> {
  const [state, setState] = useState<{ value?: T; failure?: unknown }>({});
  const turn = useRef(0);
  const again = () => {
    const own = ++turn.current;
    read().then(
      (value) => own === turn.current && setState({ value }),
      (failure: unknown) => own === turn.current && setState(({ value }) => ({ value, failure })),
    );
  };
  const set = (value: T) => {
    turn.current++;
    setState({ value });
  };
  useEffect(() => {
    setState({});
    again();
    return () => void turn.current++;
  }, inputs);
  return { value: state.value, failure: state.failure, again, set };
}

/** A list that is read page by page. */
export interface Pages<T> extends Reading<T[]> {
  hasMore: boolean;
  isReadingMore: boolean;
  more: () => void;
}

/** Reads the first page of a list, and further ones when they are asked for. */
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
      // By now something else may be shown: another choice, or the same read anew.
      .then(({ rows, cursor }) => shown.current === value && set({ rows: [...value.rows, ...rows], cursor }))
      .catch(() => undefined)
      .finally(() => setReadingMore(false));
  };
  return {
    value: value?.rows,
    failure: reading.failure,
    again: reading.again,
    set: (rows) => set({ rows, cursor: value?.cursor ?? null }),
    hasMore: Boolean(value?.cursor),
    isReadingMore,
    more,
  };
}
