import type { Interrupt } from '../../model/question.js';
import type { Json } from '../wire-json.js';
import { legacyInterrupt } from './outcome.js';
import type { RunItems } from './items.js';
import type { Scopes } from './scopes.js';
import type { ThreadState } from './thread-state.js';

/** The parts of a run that events change. */
export interface RunParts {
  readonly items: RunItems;
  readonly thread: ThreadState;
  readonly scopes: Scopes;
  readonly isShown: boolean;
  readonly protocolVersion: string | null;
  legacyQuestion: Interrupt | null;
  onStatus(name: unknown): void;
}

/** What Parley does with the events in a run. The others are dropped. */
export const HANDLERS: Record<string, (reader: RunParts, event: Json) => void> = {
  TEXT_MESSAGE_START: (reader, event) => reader.items.startText(event, reader.isShown),
  TEXT_MESSAGE_CONTENT: (reader, event) => reader.items.addText(event),
  TEXT_MESSAGE_END: (reader, event) => reader.items.endText(event),
  TOOL_CALL_START: (reader, event) => {
    reader.items.startCall(event);
    reader.onStatus(event.toolCallName);
  },
  TOOL_CALL_ARGS: (reader, event) => reader.items.addArguments(event),
  TOOL_CALL_END: (reader, event) => reader.items.endCall(event),
  TOOL_CALL_RESULT: (reader, event) => reader.items.addResult(event),
  STATE_SNAPSHOT: (reader, { snapshot }) => reader.thread.replace(snapshot),
  STATE_DELTA: (reader, { delta }) => reader.thread.patch(delta as unknown[]),
  MESSAGES_SNAPSHOT: (reader, { messages }) => {
    reader.items.messages = reader.thread.mergeMessages(messages as unknown[], reader.items.messages);
  },
  REASONING_ENCRYPTED_VALUE: (reader, event) => reader.thread.encrypt(event, reader.items),
  REASONING_START: (reader, event) => reader.items.startSpan(event),
  REASONING_END: (reader, event) => reader.items.endSpan(event),
  REASONING_MESSAGE_START: (reader, event) => reader.items.startReasoning(event),
  REASONING_MESSAGE_CONTENT: (reader, event) => reader.items.addReasoning(event),
  REASONING_MESSAGE_END: (reader, event) => reader.items.endReasoning(event),
  STEP_STARTED: (reader, event) => {
    reader.scopes.startStep(event);
    reader.onStatus(event.stepName);
  },
  STEP_FINISHED: (reader, event) => reader.scopes.endStep(event),
  SUBAGENT_STARTED: (reader, event) => {
    reader.scopes.startSubagent(event);
    reader.onStatus(event.name);
  },
  SUBAGENT_FINISHED: (reader, event) => reader.scopes.endSubagent(event),
  SUBAGENT_ERROR: (reader, event) => reader.scopes.endSubagent(event),
  CUSTOM: (reader, { name, value }) => {
    const isQuestion = name === 'on_interrupt' && reader.protocolVersion === null;
    if (isQuestion) reader.legacyQuestion = legacyInterrupt(value);
  },
};
Object.setPrototypeOf(HANDLERS, null);
