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
  /** The run follows this message. */
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
