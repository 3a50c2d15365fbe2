import type { ComponentChildren } from 'preact';
import type { Chat, Connection } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';
import { Sentence } from './rich.js';

interface HeaderProps {
  title: string;
  onClose: () => void;
  /** Shows the visitor's chats. */
  onList: () => void;
}

/** The title, the status of the chat, and the buttons for the list of chats and for closing the panel. */
export function Header({ title, onClose, onList }: HeaderProps) {
  const { client, strings } = useKit();
  const chat = useObservable(client.chat);
  const connection = useObservable(client.connection);
  const heard = useObservable(client.messages).findLast(({ sender }) => sender.type !== 'VISITOR' && sender.name);
  const status = statusOf(chat, connection, strings, heard?.sender.name);
  return (
    <header class={connection.state}>
      <span class="mark">
        <Icon name="chat" />
      </span>
      <div class="heading">
        <h2 id="title" tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        {status && (
          <p class="status" role="status">
            <bdi>{status}</bdi>
          </p>
        )}
      </div>
      {chat && (
        <button class="round close" aria-label={strings.chats} onClick={onList}>
          <Icon name="list" />
        </button>
      )}
      <button class="round close" aria-label={strings.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
  );
}

type Name = string | null | undefined;

function statusOf(chat: Chat | null, { state }: Connection, strings: Strings, heard: Name): ComponentChildren {
  if (state === 'connecting') return strings.connecting;
  if (!chat || isOver(chat)) return null;
  const { assignedTo, group, status } = chat;
  if (status === 'QUEUED' && group) return <Sentence template={strings.waiting} names={{ groupName: group.name }} />;
  const name = assignedTo?.name ?? heard;
  return name && <Sentence template={strings.talking} names={{ name }} />;
}

export function isOver({ status }: Chat): boolean {
  return status === 'CLOSED' || status === 'ARCHIVED';
}
