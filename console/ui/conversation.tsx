import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { choicesOf, optionsOf } from '../../headless/options.js';
import { isMarkdown } from '../../headless/markdown/marks.js';
import type { KeptMessage } from '../../headless/outbox-store.js';
import { pictureOf, type Picture } from '../../headless/picture.js';
import { fill } from '../../headless/text.js';
import type { Message, Sender } from '../../headless/types.js';
import type { Note } from '../api/types.js';
import { type Entry, toEntries } from '../lib/entries.js';
import { listNames, senderName, systemWords } from '../lib/names.js';
import { clockTime, dayName, tellsFullTime } from '../lib/times.js';
import { strings } from '../locales/strings.js';
import { explain } from '../state/actions.js';
import type { OpenChat } from '../state/chat.js';
import { slowNow } from '../state/clock.js';
import { isConnected } from '../state/connection.js';
import { discardMessage, pending, retryMessage } from '../state/outbox.js';
import { me } from '../state/session.js';
import { RequestError } from '../../headless/errors.js';
import { Icon } from './icon.js';
import { Linked, Marked, Name } from './rich.js';
import { useVirtual } from './use-virtual.js';

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

function Line({
  entry,
  ...more
}: {
  entry: Entry;
  visitor: string;
  choice: string | undefined;
  receipt: string | undefined;
}) {
  const text = strings.value;
  switch (entry.kind) {
    case 'begin':
      return <p class="line-middle">{text.beginning}</p>;
    case 'day':
      return (
        <p class="line-middle day">
          <time dateTime={entry.at}>{dayName(entry.at, slowNow.value)}</time>
        </p>
      );
    case 'system':
      return (
        <p class="line-middle" {...tellsFullTime(entry.message.createdAt)}>
          <bdi>{systemWords(entry.message)}</bdi> · <time>{clockTime(entry.message.createdAt)}</time>
        </p>
      );
    case 'note':
      return <NoteLine note={entry.note} />;
    case 'pending':
      return <PendingLine pending={entry.pending} isFirst={entry.isFirst} />;
    case 'live':
      return <LiveLine {...entry} visitor={more.visitor} />;
    case 'message':
      return <MessageLine message={entry.message} isFirst={entry.isFirst} {...more} />;
  }
}

interface MessageLineProps {
  message: Message;
  isFirst: boolean;
  visitor: string;
  choice: string | undefined;
  receipt: string | undefined;
}

function MessageLine({ message, isFirst, visitor, choice, receipt }: MessageLineProps) {
  const text = strings.value;
  const { sender, createdAt, replyTo } = message;
  const side = sender.type === 'VISITOR' ? 'theirs' : 'ours';
  const isMe = sender.type === 'AGENT' && sender.id === me().id;
  return (
    <article class={`message ${side} ${sender.type.toLowerCase()} ${isFirst ? 'first' : ''}`}>
      {isFirst && (
        <p class="message-head">
          {sender.type === 'BOT' && <Icon name="bot" />}
          <Name class="sender" name={senderName(sender, visitor)} />
          {isMe && <span class="hint">({text.you})</span>}
          <time dateTime={createdAt} {...tellsFullTime(createdAt)}>
            {clockTime(createdAt)}
          </time>
        </p>
      )}
      <div class="bubble" dir="auto" {...(!isFirst && tellsFullTime(createdAt))}>
        {replyTo && (
          <span class="chose">
            <Icon name="check" />
            {text.chose}
          </span>
        )}
        <Content message={message} />
      </div>
      <Options message={message} choice={choice} />
      {receipt && <p class="receipt">{receipt}</p>}
    </article>
  );
}

function Content({ message }: { message: Message }) {
  const text = strings.value;
  if (message.deletedAt) return <em>{text.deleted}</em>;
  const picture = message.type === 'IMAGE' && pictureOf(message, text.image);
  if (picture) return <PictureOf picture={picture} isTrusted={message.sender.type !== 'VISITOR'} />;
  return (
    <div class="words">
      {isMarkdown(message) ? <Marked text={message.content} /> : <Linked text={message.content} />}
    </div>
  );
}

/** A picture. One that a visitor links to from elsewhere is fetched by a click alone: fetching it tells who looks. */
function PictureOf({
  picture: { src, alt, width, height, caption },
  isTrusted,
}: {
  picture: Picture;
  isTrusted: boolean;
}) {
  const text = strings.value;
  const { origin, host } = new URL(src);
  const [isShown, setShown] = useState(isTrusted || origin === location.origin);
  const [hasFailed, setFailed] = useState(false);
  if (!isShown) {
    return (
      <>
        <button type="button" class="button small" onClick={() => setShown(true)}>
          <Icon name="image" />
          {fill(text.showPicture, { host })}
        </button>
        {caption && <p class="words">{caption}</p>}
      </>
    );
  }
  return (
    <>
      <a class="picture" href={src} target="_blank" rel="noopener noreferrer nofollow ugc">
        {hasFailed ? (
          text.pictureFailed
        ) : (
          <img
            src={src}
            alt={alt}
            width={width}
            height={height}
            loading="lazy"
            referrerpolicy="no-referrer"
            onError={() => setFailed(true)}
          />
        )}
      </a>
      {caption && <p class="words">{caption}</p>}
    </>
  );
}

/** What a message offered, and what was chosen. */
function Options({ message, choice }: { message: Message; choice: string | undefined }) {
  const text = strings.value;
  if (message.type !== 'QUICK_REPLY' && message.type !== 'BUTTON') return null;
  const options = optionsOf(message);
  if (options.length === 0) return null;
  return (
    <ul class="options" aria-label={text.offered}>
      {options.map(({ label, value }) => {
        const isChosen = value !== undefined && choice === value;
        return (
          <li class={`option ${isChosen ? 'chosen' : ''}`}>
            {isChosen && <Icon name="check" />}
            <bdi>{label}</bdi>
            {isChosen && <span class="hidden"> ({text.chosen})</span>}
          </li>
        );
      })}
    </ul>
  );
}

function NoteLine({ note: { author, content, createdAt } }: { note: Note }) {
  const text = strings.value;
  return (
    <article class="note-line" aria-label={fill(text.noteBy, { name: author.name })}>
      <p class="message-head">
        <Icon name="note" />
        <b>{text.note}</b>
        <Name class="sender" name={author.name} />
        <time dateTime={createdAt} {...tellsFullTime(createdAt)}>
          {clockTime(createdAt)}
        </time>
        <span class="only">{text.noteOnly}</span>
      </p>
      <p class="words" dir="auto">
        <Linked text={content} />
      </p>
    </article>
  );
}

function PendingLine({
  pending: { clientMessageId, content, state, error },
  isFirst,
}: {
  pending: KeptMessage;
  isFirst: boolean;
}) {
  const text = strings.value;
  const reason = error && explain(new RequestError(error.code, error.detail));
  return (
    <article class={`message ours agent pending ${state} ${isFirst ? 'first' : ''}`}>
      <div class="bubble" dir="auto">
        <p class="words">{content}</p>
      </div>
      {state === 'failed' ? (
        <p class="receipt failed" role="alert">
          <Icon name="alert" />
          <span>{fill(text.notSent, { reason: reason ?? '' })}</span>
          <button type="button" class="button link" onClick={() => retryMessage(clientMessageId)}>
            {text.retry}
          </button>
          <button type="button" class="button link" onClick={() => discardMessage(clientMessageId)}>
            {text.discard}
          </button>
        </p>
      ) : (
        <p class="receipt">{isConnected.value ? text.sending : text.waitsForConnection}</p>
      )}
    </article>
  );
}

/** What somebody is writing. It is no message yet, and screen readers are told the message alone. */
function LiveLine({
  sender,
  text,
  isFirst,
  visitor,
}: {
  sender: Sender;
  text: string;
  isFirst: boolean;
  visitor: string;
}) {
  const side = sender.type === 'VISITOR' ? 'theirs' : 'ours';
  return (
    <div class={`message ${side} ${sender.type.toLowerCase()} live ${isFirst ? 'first' : ''}`} aria-hidden="true">
      {isFirst && (
        <p class="message-head">
          {sender.type === 'BOT' && <Icon name="bot" />}
          <Name class="sender" name={senderName(sender, visitor)} />
        </p>
      )}
      <div class="bubble" dir="auto">
        <div class="words">{sender.type === 'VISITOR' ? text : <Marked text={text} isPartial />}</div>
      </div>
    </div>
  );
}

function Typists({ chat, visitor }: { chat: OpenChat; visitor: string }) {
  const text = strings.value;
  const names = chat.typists.value.map((sender) => senderName(sender, visitor));
  return (
    <p class="typists" aria-live="off">
      {names.length > 0 && (
        <>
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {fill(names.length === 1 ? text.isTyping : text.areTyping, { name: names[0]!, names: listNames(names) })}
        </>
      )}
    </p>
  );
}

/** Says what the visitor writes to screen readers, once, and nothing of what was there before. */
function Announcer({ messages, visitor }: { messages: readonly Message[]; visitor: string }) {
  const last = messages.at(-1);
  const known = useRef<number>(undefined);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const seq = last?.seq ?? 0;
    const isNew = known.current !== undefined && seq > known.current;
    known.current = Math.max(known.current ?? 0, seq);
    if (isNew && last?.sender.type === 'VISITOR') setSaid(`${visitor}: ${last.content}`);
  }, [last?.seq]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
