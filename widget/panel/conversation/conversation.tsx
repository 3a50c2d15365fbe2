import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Intro, Skeleton } from './empty.js';
import { isOver } from '../header.js';
import { Icon } from '../icon.js';
import { usePanel } from '../lib/context.js';
import { correctionOf } from '../lib/formats.js';
import { useVisible } from '../lib/media.js';
import { useObservable } from '../lib/observable.js';
import { choicesOf, openChoices } from '../../../headless/options.js';
import { usePart } from '../parts.js';
import { Row, type RowProps } from './row.js';
import { useScroll } from './scroll.js';
import type { Sender } from '../../client/types.js';
import { disclosureOf, isAi } from './senders.js';
import { toTimeline } from './timeline.js';
import { Typing, writersOf } from './typing.js';

interface ConversationProps {
  isOpen: boolean;
  /** Whether there is no chat yet. */
  isNew: boolean;
  greeting: string;
  /** What the organization says below the greeting. */
  welcome: ComponentChildren;
}

/** The list of messages. */
export function Conversation({ isOpen, isNew, greeting, welcome }: ConversationProps) {
  const { host, client, strings } = usePanel();
  const messages = useObservable(client.messages);
  const pending = useObservable(client.pending);
  const hasEarlier = useObservable(client.hasEarlier);
  const chat = useObservable(client.chat);
  const writers = JSON.parse(useObservable(client.typing, writersOf)) as Sender[];
  const entries = toTimeline(messages, pending, writers, correctionOf(host));
  const isAiTyping = useObservable(client.typing, (typists) => typists.some(isAi));
  const firstOfAi = entries.find(({ message }) => isAi(message.sender));
  const choices = choicesOf(messages, pending);
  const fresh = useFresh(isOpen);
  const { view, list, isAtEnd, isHeld, toEnd, onScroll } = useScroll(pending.length, isOpen);
  const question = chat && isOver(chat) ? undefined : openChoices(messages, pending);
  const newest = messages.findLast(({ sender }) => sender.type === 'VISITOR');
  const receipt = newest && (chat?.read?.organization ?? 0) >= newest.seq ? strings.seen : strings.sent;
  const answers = usePart('answers', isAiTyping || !!chat?.isConnected);
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
          {entries.length === 0 && (chat || isNew ? <Intro greeting={greeting}>{welcome}</Intro> : <Skeleton />)}
          <ol>
            {entries.map((entry) => (
              <Item
                key={entry.key}
                entry={entry}
                choice={choices.get(entry.key)}
                receipt={entry.message === newest ? receipt : undefined}
                isOpen={entry.message === question}
                isFresh={entry.key === fresh}
                isFirstOfAi={entry === firstOfAi}
              />
            ))}
            {isAiTyping && !firstOfAi && <Disclosure />}
          </ol>
          <Typing />
          {answers && <answers.Answers />}
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

/** One message, with the date above the first of a day and the quick replies below open choices. */
function Item({ isFresh, isFirstOfAi, ...row }: RowProps & { isFresh: boolean; isFirstOfAi: boolean }) {
  const { formats, strings } = usePanel();
  const { message, startsDay } = row.entry;
  const hasChips = row.isOpen && message.type === 'QUICK_REPLY';
  const choices = usePart('choices', hasChips);
  return (
    <>
      {startsDay && (
        <li class="day">
          <time dateTime={message.createdAt}>{formats.day(message.createdAt)}</time>
        </li>
      )}
      {isFresh && <li class="day fresh">{strings.fresh}</li>}
      {isFirstOfAi && <Disclosure />}
      <Row {...row} />
      {hasChips && choices && (
        <li class="row">
          <choices.QuickReplies message={message} />
        </li>
      )}
    </>
  );
}

function Disclosure() {
  const { host } = usePanel();
  return (
    <li class="row system" dir="auto">
      {disclosureOf(host)}
    </li>
  );
}

/** Marks messages as read while the visitor sees the end of the conversation. */
function useReading(isEndShown: boolean): void {
  const { client } = usePanel();
  const unread = useObservable(client.unread);
  const isRead = useVisible() && isEndShown;
  useEffect(() => {
    if (isRead && unread > 0) client.read();
  }, [isRead, unread]);
}

/** The id of the first message that was not read when the panel opened. */
function useFresh(isOpen: boolean): string | undefined {
  const { client } = usePanel();
  const chatId = useObservable(client.chat, (chat) => chat?.id);
  const opened = useRef<{ chatId?: string; fresh?: string }>({});
  const shown = isOpen ? chatId : undefined;
  // Computed during render, because this render's effect marks messages as read.
  if (shown !== opened.current.chatId) {
    const theirs = client.messages.value.filter(({ sender: { type } }) => type === 'BOT' || type === 'AGENT');
    opened.current = { chatId: shown, fresh: theirs[theirs.length - client.unread.value]?.id };
  }
  return opened.current.fresh;
}

/** Whether a message has arrived since the visitor scrolled up. */
function useNews(isHeld: { current: boolean }): boolean {
  const { client } = usePanel();
  const [hasNew, setNew] = useState(false);
  useEffect(() => client.onMessage(() => setNew(!isHeld.current)), [client]);
  return hasNew;
}
