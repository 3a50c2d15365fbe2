import type { Chat, Connection, Message } from '../client/types.js';
import type { Strings } from '../locales/en.js';
import { fill } from '../../headless/text.js';
import { Avatar } from './avatar.js';
import { isAlone } from './lib/alone.js';
import { Icon } from './icon.js';
import { type PanelContext, usePanel } from './lib/context.js';
import { useObservable } from './lib/observable.js';
import { openingWords } from './lib/opening.js';
import { Sentence, type SentenceProps } from './rich.js';
import { counted } from './lib/words.js';

interface HeaderProps {
  title: string;
  onClose: () => void;
  /** Shows the visitor's chats. */
  onList: () => void;
}

/** The title, the status of the chat, and the buttons for the list of chats and for closing the panel. */
export function Header({ title, onClose, onList }: HeaderProps) {
  const { host, client, strings, formats } = usePanel();
  const chat = useObservable(client.chat);
  const connection = useObservable(client.connection);
  const assignedTo = chat?.assignedTo;
  const face = chat?.owner === 'BOT' && host.face;
  const messages = useObservable(client.messages);
  const status = statusOf(chat, connection, { strings, formats }, messages);
  return (
    <header class={`${connection.state} ${chat?.owner}`}>
      {face || assignedTo?.avatarUrl ? (
        <Avatar name={assignedTo?.name ?? ''} url={assignedTo?.avatarUrl} face={face} />
      ) : (
        <span class="mark">
          <Icon name="chat" />
        </span>
      )}
      <div class="titles">
        <h2 id="title" tabIndex={-1} title={title}>
          <bdi>{title}</bdi>
        </h2>
        {status && (
          <p class="status" role="status" title={fill(status.template, status.names)}>
            <bdi>
              <Sentence {...status} />
            </bdi>
          </p>
        )}
      </div>
      {(chat || host.identity) && (
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

/** Who has the chat; nothing before the first message. */
function statusOf(
  chat: Chat | null,
  { state }: Connection,
  { strings, formats }: Pick<PanelContext, 'strings' | 'formats'>,
  messages: readonly Message[],
): SentenceProps | null {
  if (state === 'connecting') return { template: strings.connecting, names: {} };
  if (!chat || isOver(chat) || state === 'refused') return null;
  const { assignedTo, status, queue } = chat;
  if (status === 'QUEUED') {
    if (queue?.isOpen === false) return { template: openingWords(queue.nextOpening, strings, formats), names: {} };
    if (isAlone(chat, messages)) return { template: strings.unanswered, names: {} };
    return queue && { template: placeOf(queue, strings), names: {} };
  }
  const name = assignedTo?.name ?? messages.findLast(({ sender }) => sender.type === 'BOT')?.sender.name;
  if (name) return { template: strings.talking, names: { name } };
  const isAnswered = messages.some(({ sender }) => sender.type !== 'VISITOR');
  return isAnswered ? { template: strings.withBot, names: {} } : null;
}

function placeOf({ position, estimatedWaitSeconds }: NonNullable<Chat['queue']>, strings: Strings): string {
  const place = fill(position === 1 ? strings.next : strings.queued, { position });
  if (estimatedWaitSeconds === null) return place;
  return place + counted(strings, 'wait', Math.max(1, Math.round(estimatedWaitSeconds / 60)));
}

export function isOver({ status }: Chat): boolean {
  return status === 'CLOSED' || status === 'ARCHIVED';
}
