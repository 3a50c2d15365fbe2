import { Avatar } from '../avatar.js';
import { Bubble } from './bubble.js';
import { usePanel } from '../lib/context.js';
import { usePart } from '../parts.js';
import { Receipt } from './receipt.js';
import { Sentence } from '../rich.js';
import { avatarOf, isAi, systemWords } from './senders.js';
import type { Entry } from './timeline.js';
import { LiveBubble } from './typing.js';

export interface RowProps {
  entry: Entry;
  choice?: string;
  /** Whether its options take an answer. */
  isOpen: boolean;
  /** The status of the visitor's newest message: sent or seen. */
  receipt?: string;
}

/** A message in the list. */
export function Row({ entry, choice, isOpen, receipt }: RowProps) {
  const { host, client, strings } = usePanel();
  const { message, isMine, isFirst, isLast, pending, isLive } = entry;
  const thumbs = usePart('thumbs', !!host.chosen?.messageRating);
  if (message.sender.type === 'SYSTEM') return <SystemRow entry={entry} />;
  const name = isMine ? strings.you : message.sender.name || strings.team;
  const isNamed = isFirst && !isMine;
  const isBot = message.sender.type === 'BOT';
  const place = `${isMine ? 'mine' : 'theirs'} ${isFirst ? 'first' : ''} ${isLast ? 'last' : ''} ${pending?.state ?? ''}`;
  return (
    <li class={`row ${place}`} data-id={isLive ? undefined : entry.key} aria-hidden={isLive}>
      {isNamed && <Avatar name={name} url={avatarOf(client.chat.value, message.sender)} face={isBot && host.face} />}
      <div class="said">
        <span class={isNamed ? 'name' : 'hidden'}>
          <bdi>{name}</bdi>
          {isBot &&
            (isAi(message.sender) ? ` · ${host.words.ai ?? 'AI'}` : name !== strings.bot && ` · ${strings.bot}`)}
          <span class="hidden">: </span>
        </span>
        {isLive ? <LiveBubble id={message.sender.id} /> : <Bubble message={message} choice={choice} isOpen={isOpen} />}
        {thumbs && <thumbs.Thumbs entry={entry} />}
        <Receipt entry={entry} receipt={receipt} />
      </div>
    </li>
  );
}

function SystemRow({ entry: { message, key } }: { entry: Entry }) {
  const { strings } = usePanel();
  return (
    <li class="row system" data-id={key} dir="auto">
      <Sentence {...systemWords(message, strings)} />
    </li>
  );
}
