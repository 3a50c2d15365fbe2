import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { choicesOf } from '../../../headless/options.js';
import { toEntries } from '../../lib/entries.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { isConnected } from '../../state/connection.js';
import { pending } from '../../state/chat/outbox.js';
import { Icon } from '../parts/icon.js';
import { useVirtual } from '../parts/use-virtual.js';
import { Line } from './lines.js';
import { Announcer, Typists } from './announcements.js';

/** From this distance to the start on, in pixels, earlier messages are read. */
const NEAR_START = 400;

/** Closer to the end than this, in pixels, the view stays at the end. */
const NEAR_END = 60;

/** The size of the view that was shown last: the next one begins with it. */
let lastRect = { width: 0, height: 0 };

interface ConversationProps {
  chat: OpenChat;
  visitor: string;
  /** Whether this agent has the chat: only then what is seen is marked as read. */
  isOwn: boolean;
}

/** The messages of a chat and its notes. Only what is seen, and a little around it, is in the page. */
export function Conversation({ chat, visitor, isOwn }: ConversationProps) {
  const text = strings.value;
  const messages = chat.messages.value;
  const all = pending.value;
  const unsent = useMemo(() => all.filter(({ chatId }) => chatId === chat.id), [all, chat]);
  const [notes, typists] = [chat.notes.value, chat.typists.value];
  const hasEarlier = chat.hasEarlier.value || chat.state.value === 'loading';
  // Every step of scrolling draws again: what is drawn from is made anew only when it has changed.
  const entries = useMemo(
    () => toEntries({ messages, notes, pending: unsent, typists, hasEarlier }),
    [messages, notes, unsent, typists, hasEarlier],
  );
  const choices = useMemo(() => choicesOf(messages, []), [messages]);
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const virtual = useVirtual({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (entries[index]?.kind === 'message' ? 62 : 40),
    getItemKey: useCallback((index) => entries[index]?.key ?? index, [entries]),
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    paddingStart: 16,
    paddingEnd: 12,
    // What was measured when the chat was shown the last time, and the end of it at once.
    initialMeasurementsCache: chat.measured,
    initialRect: lastRect,
    initialOffset: () => Math.max(0, virtual.getTotalSize() - lastRect.height),
  });
  // Where the end is not seen, it is not asked for each line that is measured how far away it is: that counts all lines.
  virtual.options.anchorTo = isAtEnd ? 'end' : 'start';
  useLayoutEffect(
    () => () => {
      chat.measured = virtual.takeSnapshot();
      lastRect = virtual.scrollRect ?? lastRect;
    },
    [chat],
  );
  const onScroll = () => {
    // The browser tells of scrolling with its next frame: the conversation may be gone by then.
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END);
    if (scrollTop < NEAR_START) void chat.loadEarlier();
  };
  const toEnd = () => virtual.scrollToEnd();
  useLayoutEffect(toEnd, [chat]);
  const written = typists.map(({ text: words = '' }) => words.length).join();
  useLayoutEffect(() => {
    if (isAtEnd) toEnd();
  }, [written]);
  const lastOwn = unsent.at(-1)?.clientMessageId;
  useLayoutEffect(() => {
    if (lastOwn) toEnd();
  }, [lastOwn]);
  useEffect(() => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!;
    if (scrollHeight <= clientHeight || scrollTop < NEAR_START) void chat.loadEarlier();
  }, [messages.length]);
  const hasNew = useReading(chat, isAtEnd, isOwn);
  const seen = chat.detail.value?.read.visitor ?? 0;
  // Whoever answers has seen what was said before.
  const lastSaid = messages.findLast(({ sender: { type } }) => type !== 'SYSTEM');
  const lastOurs = lastSaid?.sender.type === 'VISITOR' ? undefined : lastSaid;
  return (
    <div class="conversation">
      <div
        class="scroller"
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={text.conversation}
      >
        <ol class="transcript" style={{ height: `${virtual.getTotalSize()}px` }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index];
            return (
              entry && (
                <li
                  key={key}
                  class="transcript-line"
                  ref={virtual.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Line
                    entry={entry}
                    visitor={visitor}
                    choice={entry.kind === 'message' ? choices.get(entry.key) : undefined}
                    receipt={
                      entry.kind === 'message' && entry.message === lastOurs
                        ? seen >= lastOurs.seq
                          ? text.seen
                          : text.sent
                        : undefined
                    }
                  />
                </li>
              )
            );
          })}
        </ol>
      </div>
      {!isAtEnd && (
        <button type="button" class={`to-end ${hasNew ? 'news' : ''}`} onClick={toEnd}>
          <Icon name="down" />
          {hasNew ? text.newMessages : text.toEnd}
        </button>
      )}
      <Typists chat={chat} visitor={visitor} />
      <Announcer messages={messages} visitor={visitor} />
    </div>
  );
}

/** Marks as read what is seen. Returns whether something came that was not seen. */
function useReading(chat: OpenChat, isAtEnd: boolean, isOwn: boolean): boolean {
  const last = chat.messages.value.at(-1)?.seq ?? 0;
  const seen = useRef(last);
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  const isReady = chat.state.value === 'ready' && isConnected.value;
  useEffect(() => {
    if (!isAtEnd || !isVisible) return;
    seen.current = last;
    if (isOwn && isReady) chat.read();
  }, [chat, last, isAtEnd, isVisible, isOwn, isReady]);
  return last > seen.current;
}
