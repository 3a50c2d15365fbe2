import type { KeptMessage } from '../../../headless/outbox-store.js';
import { fill } from '../../../headless/text.js';
import type { MessageFile, Sender } from '../../../headless/types.js';
import type { MessageRating, Note } from '../../api/types.js';
import type { Entry } from '../../lib/entries.js';
import { senderName, systemWords } from '../../lib/names.js';
import { clockTime, dayName, withFullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { undoSend } from '../../state/actions.js';
import { explainUnsent } from '../../state/explain.js';
import { slowNow } from '../../state/clock.js';
import { isConnected } from '../../state/connection.js';
import { discardMessage, isHeld, retryMessage } from '../../state/chat/outbox.js';
import { Files } from '../parts/files.js';
import { Icon } from '../parts/icon.js';
import { NoteBody } from '../chat/note.js';
import { Marked, Name } from '../parts/rich.js';
import { MessageLine } from './message-line.js';

export function Line({
  entry,
  ...more
}: {
  entry: Entry;
  visitor: string;
  choice: string | undefined;
  receipt: string | undefined;
  rating: MessageRating | undefined;
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
        <p class="line-middle" {...withFullTime(entry.message.createdAt)}>
          <bdi>{systemWords(entry.message)}</bdi> · <time>{clockTime(entry.message.createdAt)}</time>
        </p>
      );
    case 'note':
      return <NoteLine note={entry.note} />;
    case 'saving':
      return <SavingLine {...entry} />;
    case 'pending':
      return <PendingLine pending={entry.pending} isFirst={entry.isFirst} />;
    case 'live':
      return <LiveLine {...entry} visitor={more.visitor} />;
    case 'message':
      return <MessageLine message={entry.message} isFirst={entry.isFirst} {...more} />;
  }
}

function NoteLine({ note }: { note: Note }) {
  const text = strings.value;
  const { author, createdAt } = note;
  return (
    <article class="note-line" aria-label={fill(text.noteBy, { name: author.name })}>
      <p class="message-head">
        <Icon name="note" />
        <b>{text.note}</b>
        <Name class="sender" name={author.name} />
        <time dateTime={createdAt} {...withFullTime(createdAt)}>
          {clockTime(createdAt)}
        </time>
        <span class="only">{text.noteOnly}</span>
      </p>
      <NoteBody note={note} />
    </article>
  );
}

/** A note that is being saved. */
function SavingLine({ content, files }: { content: string; files?: readonly MessageFile[] }) {
  const text = strings.value;
  return (
    <article class="note-line saving" aria-label={text.note}>
      <p class="message-head">
        <Icon name="note" />
        <b>{text.note}</b>
        <span class="only" role="status">
          {isConnected.value ? text.savingNote : text.waitsForConnection}
        </span>
      </p>
      <p class="words" dir="auto">
        {content}
      </p>
      <Files files={files?.[0] && files} />
    </article>
  );
}

function PendingLine({ pending: kept, isFirst }: { pending: KeptMessage; isFirst: boolean }) {
  const text = strings.value;
  const { clientMessageId, chatId = '', content, files, state } = kept;
  const reason = explainUnsent(kept);
  return (
    <article class={`message ours agent pending ${isHeld(kept) ? 'held' : state} ${isFirst ? 'first' : ''}`}>
      {content && (
        <div class="bubble" dir="auto">
          <p class="words">{content}</p>
        </div>
      )}
      <Files files={files} />
      {isHeld(kept) ? (
        <p class="receipt" role="status">
          {text.heldMessage}
          <button type="button" class="button link" onClick={() => undoSend(chatId, clientMessageId)}>
            {text.undo}
          </button>
        </p>
      ) : state === 'failed' ? (
        <p class="receipt failed" role="alert">
          <span>
            <Icon name="alert" /> {fill(text.notSent, { reason })}
          </span>
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

/** Live text of a sender. Screen readers get only the finished message. */
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
