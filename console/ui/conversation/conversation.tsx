import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { post } from '../../api/request.js';
import type { Note } from '../../api/types.js';
import { choicesOf } from '../../../headless/options.js';
import type { Message } from '../../../headless/types.js';
import { type Entry, toEntries } from '../../lib/entries.js';
import { strings } from '../../locales/strings.js';
import type { OpenChat } from '../../state/chat/chat.js';
import { isHere } from '../../state/alerts/alerts.js';
import { found } from '../../state/chat/found.js';
import { counts } from '../../state/inbox/counts.js';
import { me } from '../../state/session.js';
import { pending } from '../../state/chat/outbox.js';
import { savingNotes } from '../../state/chat/saving-notes.js';
import { isConnected } from '../../state/connection.js';
import { Icon } from '../parts/icon.js';
import { Announcer, Typists } from './announcements.js';
import { Line } from './lines.js';
import { useTranscript } from './use-transcript.js';

interface ConversationProps {
  chat: OpenChat;
  visitor: string;
  /** Whether this agent has the chat: only then are messages on screen marked as read. */
  isOwn: boolean;
}

/** The messages and notes of a chat. Only the lines on screen, and a few around them, are in the page. */
export function Conversation({ chat, visitor, isOwn }: ConversationProps) {
  const text = strings.value;
  const messages = chat.messages.value;
  const { entries, lastOwn } = useEntries(chat);
  const choices = useMemo(() => choicesOf(messages, []), [messages]);
  const { scroller, virtual, isAtEnd, toEnd, onScroll } = useTranscript(chat, entries, lastOwn);
  const hasNew = useReading(chat, isAtEnd, isOwn);
  useSeenMentions(chat);
  const receiptOf = receipts(chat, messages);
  const rated = chat.detail.value?.messageRatings;
  const ratings = useMemo(() => new Map(rated?.map((rating) => [rating.seq, rating])), [rated]);
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
                  class={`transcript-line ${entry.key === found.value?.key ? 'found' : ''}`}
                  ref={virtual.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Line
                    entry={entry}
                    visitor={visitor}
                    choice={entry.kind === 'message' ? choices.get(entry.key) : undefined}
                    receipt={receiptOf(entry)}
                    rating={entry.kind === 'message' ? ratings.get(entry.message.seq) : undefined}
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

/** The lines of a chat, and the id of this agent's last unsent message. Memoized, because every scroll step renders again. */
function useEntries(chat: OpenChat): { entries: Entry[]; lastOwn: string | undefined } {
  const messages = chat.messages.value;
  const all = pending.value;
  const unsent = useMemo(() => all.filter(({ chatId }) => chatId === chat.id), [all, chat]);
  const allSaving = savingNotes.value;
  const saving = useMemo(() => allSaving.filter(({ chatId }) => chatId === chat.id), [allSaving, chat]);
  const [notes, typists] = [chat.notes.value, chat.typists.value];
  const hasEarlier = chat.hasEarlier.value || chat.state.value === 'loading';
  const entries = useMemo(
    () => toEntries({ messages, notes, pending: unsent, saving, typists, hasEarlier }),
    [messages, notes, unsent, saving, typists, hasEarlier],
  );
  return { entries, lastOwn: unsent.at(-1)?.clientMessageId };
}

/** Returns the receipt of a line: our last message has one until the visitor answers, because an answer means it was seen. */
function receipts(chat: OpenChat, messages: readonly Message[]): (entry: Entry) => string | undefined {
  const text = strings.value;
  const seen = chat.detail.value?.read.visitor ?? 0;
  const lastSaid = messages.findLast(({ sender: { type } }) => type !== 'SYSTEM');
  const lastOurs = lastSaid?.sender.type === 'VISITOR' ? undefined : lastSaid;
  return (entry) => {
    if (entry.kind !== 'message' || !lastOurs || entry.message !== lastOurs) return undefined;
    if (seen >= lastOurs.seq) return text.seen;
    const mail = chat.detail.value?.missedMail;
    const isAbout =
      mail && mail.afterSeq < lastOurs.seq && (mail.status === 'WAITING' || lastOurs.createdAt <= mail.at);
    return isAbout ? text.mailed[mail.status] : text.sent;
  };
}

/** Marks the notes that mention this agent as seen, while the agent is here. */
function useSeenMentions({ id, notes }: OpenChat): void {
  const isWanted = isHere.value && (counts.value?.mentions ?? 0) > 0 && notes.value.some(isOfMe);
  const last = notes.value.findLast(isOfMe)?.id;
  useEffect(() => {
    if (isWanted) post(`/chats/${id}/mentions/seen`).catch(() => undefined);
  }, [id, isWanted, last]);
}

const isOfMe = ({ mentions }: Note) => mentions.some((agent) => agent.id === me().id);

/** Marks what is on screen as read. Returns whether there are new messages below. */
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
