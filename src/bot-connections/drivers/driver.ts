import type { Conversation, OpenConnection, Reply } from '../model/conversation.js';
import type { AnswerReader, EndpointRequest } from '../wire/exchange.js';

/** What shows a run's progress to the visitor. */
export interface Progress {
  /** The text of the message that the endpoint is writing, from its beginning. Called at each change, so it must be cheap: `read` makes the text. */
  onText(read: () => string): void;
  /** What the endpoint is doing. */
  onStatus(status: string): void;
}

/** Reads the answer of one run. */
export interface ReplyReader extends AnswerReader {
  /** Ends the answer with its body. @throws RunFailure */
  end(): Reply;
}

/** Speaks the wire of one kind of endpoint. */
export interface Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest;
  read(connection: OpenConnection, conversation: Conversation, progress: Progress): ReplyReader;
  /** The answer to a call, in the endpoint's form. */
  answer(callId: string, result: Record<string, unknown>): Record<string, unknown>;
}
