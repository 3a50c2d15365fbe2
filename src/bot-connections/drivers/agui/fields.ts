import { isJsonObject } from '../../../platform/lib/json.js';
import { RunFailure } from '../../model/turn.js';
import type { Json } from '../wire-json.js';

/** What a member must be. A name that ends with `?` in the lists below may be absent. */
type Rule = (value: unknown) => boolean;

const text: Rule = (value) => typeof value === 'string';
const list: Rule = Array.isArray;
const any: Rule = (value) => value !== undefined;
const object: Rule = isJsonObject;
const content: Rule = (value) => typeof value === 'string' || Array.isArray(value);
const isTrueOrFalse: Rule = (value) => typeof value === 'boolean';

const ALL = {
  'timestamp?': (value: unknown) => Number.isSafeInteger(value),
  'metadata?': object,
  'subagentRunId?': text,
};
const ofMessage = { messageId: text };
const ofRun = { threadId: text, runId: text };

/** The members of AG-UI's events. Members that no rule names are ignored. */
const EVENTS: Record<string, Record<string, Rule>> = {
  RUN_STARTED: { ...ofRun, 'protocolVersion?': text, 'parentRunId?': text },
  RUN_FINISHED: { ...ofRun, 'outcome?': object, 'usage?': list },
  RUN_ERROR: { message: text, 'code?': text, 'usage?': list },
  TEXT_MESSAGE_START: { ...ofMessage, 'role?': text, 'name?': text },
  TEXT_MESSAGE_CONTENT: { ...ofMessage, delta: text },
  TEXT_MESSAGE_END: ofMessage,
  TEXT_MESSAGE_CHUNK: { 'messageId?': text, 'role?': text, 'delta?': text, 'name?': text },
  TOOL_CALL_START: { toolCallId: text, toolCallName: text, 'parentMessageId?': text },
  TOOL_CALL_ARGS: { toolCallId: text, delta: text },
  TOOL_CALL_END: { toolCallId: text },
  TOOL_CALL_CHUNK: { 'toolCallId?': text, 'toolCallName?': text, 'parentMessageId?': text, 'delta?': text },
  TOOL_CALL_RESULT: { ...ofMessage, toolCallId: text, content, 'role?': text },
  STATE_SNAPSHOT: { snapshot: any },
  STATE_DELTA: { delta: list },
  MESSAGES_SNAPSHOT: { messages: list },
  REASONING_START: ofMessage,
  REASONING_MESSAGE_START: { ...ofMessage, 'role?': text },
  REASONING_MESSAGE_CONTENT: { ...ofMessage, delta: text },
  REASONING_MESSAGE_END: ofMessage,
  REASONING_MESSAGE_CHUNK: { 'messageId?': text, 'delta?': text },
  REASONING_END: ofMessage,
  REASONING_ENCRYPTED_VALUE: { subtype: text, entityId: text, encryptedValue: text },
  STEP_STARTED: { stepName: text },
  STEP_FINISHED: { stepName: text },
  SUBAGENT_STARTED: { subagentRunId: text, name: text },
  SUBAGENT_FINISHED: { subagentRunId: text, 'outcome?': object },
  SUBAGENT_ERROR: { subagentRunId: text, message: text },
  ACTIVITY_SNAPSHOT: { ...ofMessage, activityType: text, content: object, 'replace?': isTrueOrFalse },
  ACTIVITY_DELTA: { ...ofMessage, activityType: text, patch: list },
  RAW: { event: any },
  CUSTOM: { name: text, value: any },
};
Object.setPrototypeOf(EVENTS, null);

/** The members of messages in a snapshot, by their role. */
const MESSAGES: Record<string, Record<string, Rule>> = {
  developer: { id: text, content: text },
  system: { id: text, content: text },
  user: { id: text, content },
  assistant: { id: text, 'content?': text, 'toolCalls?': list },
  tool: { id: text, content, toolCallId: text, 'error?': text },
  activity: { id: text },
  reasoning: { id: text, content: text },
};
Object.setPrototypeOf(MESSAGES, null);

/** Some producers write these as null when they're absent. */
const NULLABLE = ['outcome', 'rawEvent', 'parentMessageId'];

/** Checks the members of an event. Returns null if its type is unknown. @throws RunFailure protocol */
export function checkedEvent(event: Json): Json | null {
  if (typeof event.type !== 'string') throw new RunFailure('protocol', 'sent an event without a type');
  const rules = EVENTS[event.type];
  if (!rules) return null;
  const present = Object.entries(event).filter(([name, value]) => value !== null || !NULLABLE.includes(name));
  const checked = Object.fromEntries(present);
  check(checked, { ...ALL, ...rules }, event.type);
  return checked;
}

/** Checks a message of a snapshot. Returns null if its role is unknown. @throws RunFailure protocol */
export function checkedMessage(value: unknown): Json | null {
  if (!isJsonObject(value) || typeof value.role !== 'string')
    throw new RunFailure('protocol', 'sent a snapshot with a message that has no role');
  const rules = MESSAGES[value.role];
  if (!rules) return null;
  check(value, rules, 'MESSAGES_SNAPSHOT');
  const calls = (value.toolCalls ?? []) as unknown[];
  if (!calls.every(isCall)) throw new RunFailure('protocol', 'sent a snapshot with a malformed tool call');
  return value;
}

function isCall(call: unknown): boolean {
  if (!isJsonObject(call) || typeof call.id !== 'string' || !isJsonObject(call.function)) return false;
  return typeof call.function.name === 'string' && typeof call.function.arguments === 'string';
}

function check(value: Json, rules: Record<string, Rule>, type: string): void {
  for (const [rule, isRight] of Object.entries(rules)) {
    const isOptional = rule.endsWith('?');
    const name = isOptional ? rule.slice(0, -1) : rule;
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined ? !isOptional : !isRight(member))
      throw new RunFailure('protocol', `sent ${type} whose ${name} is ${member === undefined ? 'missing' : 'wrong'}`);
  }
}
