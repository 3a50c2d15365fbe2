import type { KeptMessage } from '../../headless/outbox-store.js';
import type { Message, MessageFile, Sender, Typist } from '../../headless/types.js';
import type { Note } from '../api/types.js';
import { dayAround } from './times.js';

/** Messages of one sender are grouped unless a pause is longer than this, in milliseconds. */
const MAX_PAUSE_MS = 5 * 60_000;

/** A line of a conversation. */
export type Entry =
  | { kind: 'begin'; key: string }
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; message: Message; isFirst: boolean }
  | { kind: 'system'; key: string; message: Message }
  | { kind: 'note'; key: string; note: Note }
  | { kind: 'saving'; key: string; content: string; files?: readonly MessageFile[] }
  | { kind: 'pending'; key: string; pending: KeptMessage; isFirst: boolean }
  | { kind: 'live'; key: string; sender: Sender; text: string; isFirst: boolean };

interface Conversation {
  messages: readonly Message[];
  notes: readonly Note[];
  pending: readonly KeptMessage[];
  /** Notes that are being saved. */
  saving?: readonly { key: string; content: string; files?: readonly MessageFile[] }[];
  /** Who is typing. A live text is the last line of its typist. */
  typists: readonly Typist[];
  /** Whether there are messages before the first one. */
  hasEarlier: boolean;
}

/** Puts messages, notes and what is not sent yet into one order, with a line where a day begins. */
export function toEntries({ messages, notes, pending, saving = [], typists, hasEarlier }: Conversation): Entry[] {
  const entries: Entry[] = hasEarlier ? [] : [{ kind: 'begin', key: 'begin' }];
  const firstSeq = messages[0]?.seq ?? 0;
  // Notes from before the first message that is here come with the messages around them.
  const waiting = notes.filter(({ afterSeq }) => !hasEarlier || afterSeq >= firstSeq);
  let day = { begin: '', end: '' };
  let before: Message | undefined;
  const startDay = (at: string) => {
    if (at >= day.begin && at < day.end) return;
    day = dayAround(at);
    entries.push({ kind: 'day', key: `day ${day.begin}`, at });
    before = undefined;
  };
  const takeNotes = (untilSeq: number) => {
    while (waiting.length > 0 && waiting[0]!.afterSeq < untilSeq) {
      const note = waiting.shift()!;
      startDay(note.createdAt);
      entries.push({ kind: 'note', key: note.id, note });
      before = undefined;
    }
  };
  for (const message of messages) {
    takeNotes(message.seq);
    startDay(message.createdAt);
    const { id: key } = message;
    if (message.sender.type === 'SYSTEM') entries.push({ kind: 'system', key, message });
    else entries.push({ kind: 'message', key, message, isFirst: !before || !isTogether(before, message) });
    before = message;
  }
  takeNotes(Infinity);
  for (const { key, content, files } of saving) entries.push({ kind: 'saving', key, content, files });
  if (saving.length > 0) before = undefined;
  pending.forEach((one, index) => {
    const isFirst = index === 0 && entries.at(-1)?.kind !== 'pending';
    entries.push({ kind: 'pending', key: one.clientMessageId, pending: one, isFirst });
  });
  for (const { text = '', ...sender } of typists) {
    const isFirst =
      !before || pending.length > 0 || before.sender.type !== sender.type || before.sender.id !== sender.id;
    if (text.trim()) entries.push({ kind: 'live', key: `live ${sender.id}`, sender, text: text.trim(), isFirst });
  }
  return entries;
}

function isTogether(one: Message, other: Message): boolean {
  return (
    one.sender.type === other.sender.type &&
    one.sender.id === other.sender.id &&
    Date.parse(other.createdAt) - Date.parse(one.createdAt) < MAX_PAUSE_MS
  );
}
