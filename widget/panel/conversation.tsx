import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Intro, Skeleton } from './empty.js';
import { isOver } from './header.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';
import { useVisible } from './media.js';
import { useObservable } from './observable.js';
import { choicesOf, openOffer } from '../../headless/options.js';
import { QuickReplies } from './quick-replies.js';
import { Row, type RowProps } from './row.js';
import { useScroll } from './scroll.js';
import type { Sender } from '../client/types.js';
import { toTimeline } from './timeline.js';
import { Typing, writersOf } from './typing.js';

interface ConversationProps {
  isOpen: boolean;
  greeting: string;
  /** What the organization says below the greeting. */
  welcome: ComponentChildren;
}

/** The list of messages. */
export function Conversation({ isOpen, greeting, welcome }: ConversationProps) {
  const { client, strings } = useKit();
  const messages = useObservable(client.messages);
  const pending = useObservable(client.pending);
  const hasEarlier = useObservable(client.hasEarlier);
  const chat = useObservable(client.chat);
  const entries = toTimeline(messages, pending, JSON.parse(useObservable(client.typing, writersOf)) as Sender[]);
  const choices = choicesOf(messages, pending);
  const { view, list, isAtEnd, isHeld, toEnd, onScroll } = useScroll(pending.length);
  const offer = chat && isOver(chat) ? undefined : openOffer(messages, pending);
  const newest = messages.findLast(({ sender }) => sender.type === 'VISITOR');
  const receipt = newest && (chat?.read?.organization ?? 0) >= newest.seq ? strings.seen : strings.sent;
  useReading(isOpen && isAtEnd);
  const hasNew = useNews(isHeld) && !isAtEnd;

  return (
    <div class="conversation">
      <div class="view" ref={view} onScroll={onScroll} tabIndex={0} role="region" aria-label={strings.messages}>
        <div class="list" ref={list}>
          {hasEarlier && (
            <div class="earlier">
              <span class="spinner" />
            </div>
          )}
          {entries.length === 0 && (chat ? <Intro greeting={greeting}>{welcome}</Intro> : <Skeleton />)}
          <ol>
            {entries.map((entry) => (
              <Item
                key={entry.key}
                entry={entry}
                choice={choices.get(entry.key)}
                receipt={entry.message === newest ? receipt : undefined}
                isOpen={entry.message === offer}
              />
            ))}
          </ol>
          <Typing />
        </div>
      </div>
      {hasNew && (
        <button class="pill" onClick={toEnd}>
          <Icon name="down" />
          {strings.newMessages}
        </button>
      )}
    </div>
  );
}

/** One message, with the date above the first of a day and the quick replies below an open offer. */
function Item(row: RowProps) {
  const { formats } = useKit();
  const { message, startsDay } = row.entry;
  return (
    <>
      {startsDay && (
        <li class="day">
          <time dateTime={message.createdAt}>{formats.day(message.createdAt)}</time>
        </li>
      )}
      <Row {...row} />
      {row.isOpen && message.type === 'QUICK_REPLY' && (
        <li class="row">
          <QuickReplies message={message} />
        </li>
      )}
    </>
  );
}

/** Marks messages as read while the visitor sees the end of the conversation. */
function useReading(isEndShown: boolean): void {
  const { client } = useKit();
  const unread = useObservable(client.unread);
  const isRead = useVisible() && isEndShown;
  useEffect(() => {
    if (isRead && unread > 0) client.read();
  }, [isRead, unread]);
}

/** Whether a message has arrived since the visitor scrolled up. */
function useNews(isHeld: { current: boolean }): boolean {
  const { client } = useKit();
  const [hasNew, setNew] = useState(false);
  useEffect(() => client.onMessage(() => setNew(!isHeld.current)), [client]);
  return hasNew;
}
