import type { StoredAttributes } from '../../visitors/visitors.queries.js';
import type { ConnectionKind, ConnectionSecrets, ConnectionSettings } from './connection.js';
import type { Continuation } from './question.js';
import type { Interrupt, ResumeEntry } from './question.js';
import type { RunFailure, Usage } from './turn.js';
import type { SnapshotChange } from './transcript.js';

/** A message of the conversation, as drivers see it. */
export interface Said {
  id: string;
  seq: number;
  /** `TEAM`: an agent. */
  by: 'VISITOR' | 'BOT' | 'TEAM';
  name: string | null;
  text: string;
  /** The value of the choice that the visitor took. */
  value: string | null;
  /** The message that it answers. */
  repliesTo: string | null;
  /** None unless the connection shares them. */
  files: SharedFile[];
}

/** A file of a message. */
export interface SharedFile {
  name: string;
  /** Its media type. */
  type: string;
  /** In bytes. */
  size: number;
  /** An address that the bytes can be read from, valid for 15 minutes. */
  url: string;
}

/** A group that a chat can be handed over to. */
export interface OfferedGroup {
  id: string;
  name: string;
  availability: string;
}

/** The visitor, as far as the connection shares it. */
export interface SharedVisitor {
  name: string | null;
  email: string | null;
  externalId: string | null;
  isVerified: boolean;
  /** The chat's tags. */
  tags: string[];
  /** The chat's attributes; null: none. */
  chatAttributes: StoredAttributes;
  attributes: StoredAttributes;
  verifiedAttributes: StoredAttributes;
}

/** The page that the visitor is on, if the widget says it. */
export interface SharedPage {
  address?: string;
  title?: string;
  language?: string;
}

/** A part of the history: a message, or what the endpoint said in its own form. */
export type Part = { said: Said } | { raw: Record<string, unknown>[] };

/** What a run sends to the endpoint. */
export interface Conversation {
  organizationId: string;
  chatId: string;
  visitorId: string;
  turnId: string;
  runId: string;
  step: number;
  try: number;
  /** What was said before the turn. */
  history: Part[];
  /** The visitor's messages that the turn answers. */
  asked: Said[];
  /** The last one of them. It isn't in `asked` if it has no words. */
  lastSeq: number;
  /** What the endpoint said in earlier steps of the turn. */
  followUp: Part[];
  /** The endpoint's id of the conversation, if it keeps one. */
  remoteId: string | null;
  /** The endpoint's state of the chat. */
  state: unknown;
  /** Messages that the endpoint doesn't want again. */
  omitted: ReadonlySet<string>;
  /** The answers to the questions of an earlier run. */
  resume: { entries: ResumeEntry[] } | null;
  /** A question that the visitor is asked instead of a run. */
  asking: Asking | null;
  /** A run of a test, in a chat that doesn't exist. */
  isTest?: boolean;
  /** The BCP 47 tag of the language that the visitor reads, if it's known. Only for scripts. */
  locale?: string | null;
  groups: OfferedGroup[] | null;
  visitor: SharedVisitor | null;
  page: SharedPage | null;
  /** Summaries of hand-overs, then the note to the bot. */
  notes: { by?: string; text: string }[] | null;
}

/** A connection with its secrets. */
export interface OpenConnection {
  organizationId: string;
  botId: string;
  id: string;
  kind: ConnectionKind;
  url: string;
  isEnabled: boolean;
  settings: ConnectionSettings;
  secrets: ConnectionSecrets;
  failuresInRow: number;
}

/** A call of a tool, as the endpoint wrote it. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON, if the endpoint kept to its wire. */
  arguments: string;
}

/** What an endpoint has answered in a run. */
export interface Reply {
  /** The texts of its messages. */
  messages: string[];
  calls: ToolCall[];
  /** By the marker, for endpoints without tools, or by a script. */
  handOver: { reason: string | null; groupId?: string | null; summary?: string | null } | null;
  /** A last message with choices. Of a script. */
  offer?: { text: string; choices: { label: string; value: string }[] } | null;
  /** Whether the chat is closed after the messages. Of a script. */
  isClosing?: boolean;
  /** What the visitor said of themselves. Of a script. */
  details?: { name: string } | { email: string } | null;
  /** What it said, in its own form, for the transcript; null if the messages have it all. */
  raw: Record<string, unknown>[] | null;
  usage: Usage | null;
  warnings: string[];
  /** The endpoint's id of the conversation, if it keeps one. */
  remoteId?: string | null;
  /** Whether the endpoint stopped on purpose. */
  isCancelled?: boolean;
  /** The new state of the chat; undefined: it stays. */
  state?: unknown;
  /** What a snapshot of the thread changes of earlier messages. */
  snapshot?: SnapshotChange | null;
  /** Questions that the endpoint waits for. */
  interrupts?: Interrupt[];
  /** The endpoint reported an error after its end: the run has failed, and its messages stay. */
  lateError?: RunFailure | null;
}

/** A question that's asked without a run: the next one, or the same one again, because the answer didn't fit. */
export type Asking = Extract<Continuation, { ask: unknown }>;
