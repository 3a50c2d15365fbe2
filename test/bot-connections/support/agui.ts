import type { ServerResponse } from 'node:http';
import type { Received } from '../../support/receiver.js';
import { stream } from './model.js';

export type Event = Record<string, unknown>;

/** The bytes of an event. */
export const frame = (event: Event) => `data: ${JSON.stringify(event)}\n\n`;
export const says = (delta: string, messageId = 'm1'): Event[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
export const calls = (toolCallId: string, toolCallName: string, args: object): Event[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId },
];
export const asks = (...interrupts: object[]) => ({ type: 'interrupt', interrupts });

const runOf = ({ event: { threadId, runId } }: Received) => ({ threadId, runId });
export const started = (received: Received) =>
  frame({ type: 'RUN_STARTED', ...runOf(received), protocolVersion: '1.0' });
export const finished = (received: Received, outcome: object = { type: 'success' }) =>
  frame({ type: 'RUN_FINISHED', ...runOf(received), outcome });

/** Answers with a whole run. */
export const runs =
  (events: readonly Event[], outcome?: object) =>
  (received: Received, response: ServerResponse): void =>
    void stream(response).end(started(received) + events.map(frame).join('') + finished(received, outcome));
