import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../../lib/entries.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { found } from '../../state/chat/found.js';
import { useVirtual } from '../parts/use-virtual.js';

/** Scrolling closer to the start than this, in pixels, loads earlier messages. */
const NEAR_START_PX = 400;
/** Closer to the end than this, in pixels, the view stays at the end. */
const NEAR_END_PX = 60;
const MESSAGE_HEIGHT_PX = 62;
const LINE_HEIGHT_PX = 40;

/** The size of the last conversation on screen: the next one starts with it. */
let lastRect = { width: 0, height: 0 };

interface Transcript {
  scroller: RefObject<HTMLDivElement | null>;
  virtual: ReturnType<typeof useVirtual>;
  isAtEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
}

/**
 * Scrolling through a chat: it starts at the end and stays there while new lines arrive; near the start it loads earlier messages.
 * @param lastOwn the id of this agent's last unsent message: a new one scrolls to the end
 */
export function useTranscript(chat: OpenChat, entries: readonly Entry[], lastOwn: string | undefined): Transcript {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const virtual = useLines(chat, entries, scroller);
  // Anchoring to the end measures the distance to it for each line. While the end is out of view, that would read every line.
  virtual.options.anchorTo = isAtEnd ? 'end' : 'start';
  const onScroll = () => {
    // Scroll events arrive with the next frame, when the conversation may already be unmounted.
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END_PX);
    if (scrollTop < NEAR_START_PX) void chat.loadEarlier();
  };
  const toEnd = () => virtual.scrollToEnd();
  useLayoutEffect(toEnd, [chat]);
  const written = chat.typists.value.map(({ text = '' }) => text.length).join();
  // The field below grows with what the agent writes.
  const height = virtual.scrollRect?.height;
  useLayoutEffect(() => {
    if (isAtEnd) toEnd();
  }, [written, height]);
  useLayoutEffect(() => {
    if (lastOwn) toEnd();
  }, [lastOwn]);
  const shown = useRef<object>(null);
  useLayoutEffect(() => {
    const wanted = found.value;
    if (wanted?.chatId !== chat.id || wanted === shown.current) return;
    const index = entries.findIndex(({ key }) => key === wanted.key);
    if (index < 0) return void chat.loadEarlier();
    shown.current = wanted;
    setAtEnd(false);
    virtual.scrollToIndex(index, { align: 'center' });
  }, [found.value, entries]);
  useEffect(() => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!;
    if (scrollHeight <= clientHeight || scrollTop < NEAR_START_PX) void chat.loadEarlier();
  }, [chat.messages.value.length]);
  return { scroller, virtual, isAtEnd, toEnd, onScroll };
}

/** The virtual list of the lines. It starts at the end, with the heights measured when this chat was last on screen. */
function useLines(chat: OpenChat, entries: readonly Entry[], scroller: RefObject<HTMLDivElement | null>) {
  const virtual = useVirtual({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (entries[index]?.kind === 'message' ? MESSAGE_HEIGHT_PX : LINE_HEIGHT_PX),
    getItemKey: useCallback((index: number) => entries[index]?.key ?? index, [entries]),
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    paddingStart: 16,
    paddingEnd: 12,
    initialMeasurementsCache: chat.measured,
    initialRect: lastRect,
    initialOffset: (): number => Math.max(0, virtual.getTotalSize() - lastRect.height),
  });
  useLayoutEffect(
    () => () => {
      chat.measured = virtual.takeSnapshot();
      lastRect = virtual.scrollRect ?? lastRect;
    },
    [chat],
  );
  return virtual;
}
