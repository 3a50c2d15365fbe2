import type { Conversation, OpenConnection, Reply } from '../model/conversation.js';
import type { RunFailure } from '../model/turn.js';
import type { AnswerReader, EndpointRequest } from '../wire/exchange.js';

/** What shows a run's progress to the visitor. */
export interface Progress {
  /** Called at each change of the message that the endpoint is writing. That's often, so only `read` makes the text, from its beginning. */
  onText(read: () => string): void;
  /** What the endpoint is doing. */
  onStatus(status: string): void;
}

/** Reads the answer of one run. */
export interface ReplyReader extends AnswerReader {
  /** The reply, after the end of the body. @throws RunFailure */
  end(): Reply;
  /** The version of the wire that the endpoint speaks. */
  readonly protocolVersion?: string | null;
  /** The messages that were complete before a failure. They're stored in spite of it. */
  closedTexts?(): string[];
  /** The texts that the visitor could read by now, the one that's being written last. Blank ones may be among them. */
  textsSoFar(): string[];
  /** The endpoint's own id of the conversation, once it's known. */
  readonly remoteId?: string | null;
  /** The request that stops what the endpoint is doing, after the answer was aborted. */
  stopRequest?(): EndpointRequest | null;
}

/** Speaks the wire of one kind of endpoint. */
export interface Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest;
  read(connection: OpenConnection, conversation: Conversation, progress: Progress): ReplyReader;
  /** The answer to a call, in the endpoint's form. Only for endpoints with tools. */
  answer?(callId: string, result: Record<string, unknown>): Record<string, unknown>;
  /** Whether a failure says that the endpoint no longer has the conversation. The run then begins a new one. */
  isForgotten?(failure: RunFailure, conversation: Conversation): boolean;
  /** The request that removes a conversation from the endpoint. */
  forget?(connection: OpenConnection, remoteId: string, visitorId: string): EndpointRequest;
}
