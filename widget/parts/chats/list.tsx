import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedChat, CoreClient } from '../../client/types.js';
import { pluralOf, fill } from '../../../headless/text.js';
import { isMarkdown, withoutMarks } from '../../../headless/markdown/marks.js';
import type { Strings } from '../../locales/en.js';
import { usePanel } from '../../panel/lib/context.js';
import { usePart } from '../../panel/parts.js';
import { useObservable } from '../../panel/lib/observable.js';
import { systemWords } from '../../panel/conversation/senders.js';
import { ByMail, MailsAgain } from './by-mail.js';
import { saveTranscript } from './transcript.js';

interface ChatsProps {
  /** Goes back to the chat that is open. */
  onBack: () => void;
  openChat: (options: { chatId?: string; isNew?: boolean }) => void;
  /** What else can be done with the chat that is shown. */
  children: ComponentChildren;
}

/** The visitor's chats, the open ones first, and what can be done with the one that is shown. */
export function Chats({ onBack, openChat, children }: ChatsProps) {
  const { host, client, strings } = usePanel();
  const [isAsking, ask] = useState(false);
  const extras = usePart('extras', isAsking);
  const current = useObservable(client.chat);
  const { chats, isUnsubscribed, hasMore, hasFailed, load } = useChats(client);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const open = (options: { chatId?: string; isNew?: boolean }) => {
    openChat(options);
    onBack();
  };
  const begin = () => open({ isNew: true });
  const shown = chats?.filter(({ id, messageCount }) => messageCount > 0 || id === current?.id);
  return (
    <div class="chats">
      <div class="bar">
        <button ref={back} class="text" onClick={onBack}>
          {strings.back}
        </button>
        <h3>{strings.chats}</h3>
      </div>
      {isAsking && extras && <extras.BeforeChat onDone={begin} />}
      <ul class="view" hidden={isAsking}>
        {shown?.map((chat) => (
          <li key={chat.id}>
            <ChatRow chat={chat} isCurrent={chat.id === current?.id} onOpen={() => open({ chatId: chat.id })} />
          </li>
        ))}
        {hasMore && !hasFailed && (
          <li class="later">
            <button class="text" onClick={load}>
              {strings.more}
            </button>
          </li>
        )}
        {!chats && !hasFailed && (
          <li class="later" role="status">
            <span class="spinner" />
            <span class="hidden">{strings.connecting}</span>
          </li>
        )}
        {hasFailed && (
          <li class="later" role="alert">
            {strings.failed}{' '}
            <button class="text" onClick={load}>
              {strings.tryAgain}
            </button>
          </li>
        )}
      </ul>
      {!isAsking && (
        <Actions
          isUnsubscribed={isUnsubscribed}
          onNew={() => (host.chosen?.formFields?.[0] ? ask(true) : begin())}
          onEnded={onBack}
        >
          {children}
        </Actions>
      )}
    </div>
  );
}

function ChatRow({ chat, isCurrent, onOpen }: { chat: ListedChat; isCurrent: boolean; onOpen: () => void }) {
  const { strings, formats } = usePanel();
  const last = chat.messages.findLast(({ sender }) => sender.type !== 'SYSTEM') ?? chat.messages.at(-1);
  const words = last ? saidBy(last, strings) : strings.greeting;
  // If the visitor has said one thing, it's shown once. An older service has no titles.
  const title = chat.title && !words.endsWith(chat.title) ? chat.title : undefined;
  const unread = isCurrent ? 0 : unreadOf(chat);
  const at = chat.lastMessageAt ?? chat.createdAt;
  return (
    <button class="chat" aria-current={isCurrent} onClick={onOpen}>
      {title && (
        <span class="title" dir="auto" title={title}>
          {title}
        </span>
      )}
      <span class="what">
        <bdi title={words}>{words}</bdi>
      </span>
      <span class="when">
        {formats.day(at)}, {formats.time(at)}
        {isOver(chat) && ` · ${strings.ended}`}
      </span>
      {unread > 0 && (
        <span class="marks">
          <span aria-hidden="true">{unread}</span>
          <span class="hidden">{fill(pluralOf(strings, 'unread', strings.language, unread), { count: unread })}</span>
        </span>
      )}
    </button>
  );
}

interface ActionsProps {
  /** Whether the visitor can ask for e-mails again. */
  isUnsubscribed: boolean | undefined;
  onNew: () => void;
  onEnded: () => void;
  children: ComponentChildren;
}

/** What can be done with the chat that is shown: to save it, to end it, to begin another. */
function Actions({ isUnsubscribed, onNew, onEnded, children }: ActionsProps) {
  const { host, client, strings } = usePanel();
  const chat = useObservable(client.chat);
  const messages = useObservable(client.messages);
  const [isAsking, ask] = useState(false);
  if (!chat) return null;
  if (messages.length === 0) return <div class="actions">{children}</div>;
  const end = () => client.closeChat().then(onEnded, () => ask(false));
  return (
    <div class="actions">
      {children}
      <button class="choice" onClick={() => void saveTranscript(client, strings, host.settings)}>
        {strings.save}
      </button>
      {host.chosen?.canSendTranscript && <ByMail key={chat.id} chat={chat} />}
      {isUnsubscribed && <MailsAgain chat={chat} />}
      <button class="choice" onClick={onNew}>
        {strings.startAgain}
      </button>
      {!isOver(chat) && !isAsking && (
        <button class="choice" onClick={() => ask(true)}>
          {strings.end}
        </button>
      )}
      {isAsking && (
        <div role="group" aria-label={strings.endSure} class="sure">
          <p>{strings.endSure}</p>
          <button class="primary" ref={focusIt} onClick={() => void end()}>
            {strings.end}
          </button>
          <button class="choice" onClick={() => ask(false)}>
            {strings.cancel}
          </button>
        </div>
      )}
    </div>
  );
}

const focusIt = (element: HTMLElement | null): void => element?.focus();

/** Reads the chats page by page: open chats first, and the newest first within each kind. */
function useChats(client: CoreClient) {
  const [chats, setChats] = useState<ListedChat[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [isUnsubscribed, setUnsubscribed] = useState<boolean>();
  const [hasFailed, setFailed] = useState(false);
  const isLoading = useRef(false);
  const load = () => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailed(false);
    client
      .listChats(cursor ?? undefined)
      .then(
        (page) => {
          setChats((before = []) => [...before, ...page.chats].toSorted(byOpenness));
          setCursor(page.nextCursor);
          setUnsubscribed(page.isUnsubscribed);
        },
        () => setFailed(true),
      )
      .finally(() => (isLoading.current = false));
  };
  useEffect(load, []);
  return { chats, isUnsubscribed, hasMore: cursor !== null, hasFailed, load };
}

function byOpenness(a: ListedChat, b: ListedChat): number {
  const newest = Date.parse(b.lastMessageAt ?? b.createdAt) - Date.parse(a.lastMessageAt ?? a.createdAt);
  return Number(isOver(a)) - Number(isOver(b)) || newest;
}

function isOver({ status }: { status: string }): boolean {
  return status === 'CLOSED' || status === 'ARCHIVED';
}

function unreadOf({ messages, read }: ListedChat): number {
  return messages.filter(({ seq, sender: { type } }) => seq > read.visitor && (type === 'BOT' || type === 'AGENT'))
    .length;
}

function saidBy(message: ListedChat['messages'][number], strings: Strings): string {
  const { sender, content, type } = message;
  const said = isMarkdown(message) ? withoutMarks(content) : content;
  const shown = said.slice(0, 200) || message.files?.[0]?.name;
  const words = (type === 'IMAGE' && !message.files ? strings.image : shown) || strings.deleted;
  if (sender.type === 'SYSTEM') {
    const { template, names } = systemWords(message, strings);
    return fill(template, names);
  }
  return `${sender.type === 'VISITOR' ? strings.you : sender.name || strings.team}: ${words}`;
}
