import type { Message, PendingMessage, Sender } from '../../client/types.js';
import { dayOf } from '../lib/formats.js';

const GROUP_MS = 5 * 60_000;

/** A message of the list. */
export interface Entry {
  key: string;
  message: Message;
  /** Set while the service has not confirmed the message. */
  pending?: PendingMessage;
  /** Whether its sender is still writing it. */
  isLive?: boolean;
  isMine: boolean;
  /** The first and the last message of a group: messages of one sender without a pause. */
  isFirst: boolean;
  isLast: boolean;
  startsDay: boolean;
}

/**
 * Lists the stored, pending, and unfinished messages, and marks where groups and days begin.
 * @param writers the senders whose unfinished messages are shown last: every one in `client.typing` with a `text`
 * @param correction what to add to the visitor's clock, in milliseconds, if it's wrong
 */
export function toTimeline(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  writers: readonly Sender[] = [],
  correction = 0,
): Entry[] {
  const correct = (at: string | number) => new Date(+new Date(at) + correction).toISOString();
  const entries: Entry[] = [
    ...messages.map((message) => toEntry(message)),
    ...pending.map((waiting) => toEntry(asMessage(waiting, correct(waiting.createdAt)), waiting)),
    ...writers.map((sender) => toLive(sender, correct(Date.now()))),
  ];
  entries.forEach((entry, index) => {
    const previous = entries[index - 1];
    // A pending message may be older than the stored one before it: it does not begin a day again.
    entry.startsDay = !previous || dayOf(entry.message.createdAt) > dayOf(previous.message.createdAt);
    entry.isFirst = entry.startsDay || !isTogether(previous!, entry);
    if (previous) previous.isLast = entry.isFirst;
  });
  return entries;
}

function toEntry(message: Message, pending?: PendingMessage): Entry {
  const isMine = message.sender.type === 'VISITOR';
  return { key: message.id, message, pending, isMine, isFirst: true, isLast: true, startsDay: false };
}

function asMessage(pending: PendingMessage, createdAt: string): Message {
  const { clientMessageId: id, metadata = {}, ...rest } = pending;
  return {
    ...rest,
    createdAt,
    id,
    metadata,
    chatId: '',
    seq: Infinity,
    sender: { type: 'VISITOR', id: null, name: null },
  };
}

/** A message that is being written: `LiveBubble` shows it. */
function toLive(sender: Sender, createdAt: string): Entry {
  const message = { id: `live ${sender.id}`, content: '', sender, createdAt };
  return { ...toEntry(message as Message), isLive: true };
}

function isTogether({ message: a }: Entry, { message: b }: Entry): boolean {
  const isSameSender = a.sender.type === b.sender.type && a.sender.id === b.sender.id;
  // A pending message has no sender id yet.
  return (
    (isSameSender || (a.sender.type === 'VISITOR' && b.sender.type === 'VISITOR')) &&
    Math.abs(Date.parse(b.createdAt) - Date.parse(a.createdAt)) < GROUP_MS
  );
}
