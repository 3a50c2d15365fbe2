import type { OpenQuestions } from './question.js';
import type { ToolName } from './connection.js';

/** A call of one of Parley's tools whose answer depends on what happens next. */
export interface OpenCall {
  callId: string;
  tool: Extract<ToolName, 'hand_over' | 'offer_choices'>;
  /** The message with the choices. */
  messageId: string | null;
}

/** What an endpoint said in one run that called tools. */
export interface TranscriptEntry {
  turnId: string;
  /** The `seq` of the last message before the entry. The entry comes before all later messages. */
  afterSeq: number;
  /** The stored messages that it stands for. */
  messageIds: string[];
  /** In the endpoint's form: what it said, then the answers to its calls. */
  messages: Record<string, unknown>[];
  open: OpenCall[];
}

/** What an endpoint said in a chat, in its own form, as far as the chat's messages don't have it. */
export interface Transcript {
  entries: TranscriptEntry[];
  /** The endpoint's id of the conversation, if it keeps one. */
  remoteId?: string;
  /** The endpoint's state of the chat. */
  state?: unknown;
  /** Messages that the endpoint doesn't want again. */
  omitted?: string[];
  /** What the visitor has been asked. */
  questions?: OpenQuestions | null;
}

/** What a snapshot of the thread changes of the messages that the endpoint got. */
export interface SnapshotChange {
  /** The new forms of messages, by their ids. */
  replaced: Record<string, Record<string, unknown>>;
  /** Messages that aren't sent again. */
  omitted: string[];
}

/** The transcript after a snapshot. The visitor's and agents' own messages stay as they are. */
export function afterSnapshot(transcript: Transcript, { replaced, omitted }: SnapshotChange): Transcript {
  const gone = new Set(omitted);
  const entries = transcript.entries.map((entry) => ({
    ...entry,
    messages: entry.messages
      .filter(({ id }) => !gone.has(id as string))
      .map((message) => replaced[message.id as string] ?? message),
  }));
  return { ...transcript, entries, omitted };
}

export const EMPTY_TRANSCRIPT: Transcript = { entries: [] };

/** The most bytes of a chat's transcript. */
const MAX_BYTES = 256 * 1024;

/** Leaves out the oldest entries of a transcript that is too large. */
export function limited({ entries, ...rest }: Transcript): { transcript: Transcript; isCut: boolean } {
  const sizes = entries.map((entry) => Buffer.byteLength(JSON.stringify(entry)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let first = 0;
  while (total > MAX_BYTES) total -= sizes[first++]!;
  return { transcript: { ...rest, entries: entries.slice(first) }, isCut: first > 0 };
}
