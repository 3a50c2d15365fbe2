import type { Json } from '../wire-json.js';
import { broken } from './items.js';

/** What chunks of a type stand for. */
interface Kind {
  id: 'messageId' | 'toolCallId';
  /** What the first chunk must have. */
  required: string[];
  start: string;
  content: string;
  end: string;
}

const KINDS: Record<string, Kind> = {
  TEXT_MESSAGE_CHUNK: kindOf('messageId', ['messageId'], 'TEXT_MESSAGE', 'CONTENT'),
  TOOL_CALL_CHUNK: kindOf('toolCallId', ['toolCallId', 'toolCallName'], 'TOOL_CALL', 'ARGS'),
  REASONING_MESSAGE_CHUNK: kindOf('messageId', ['messageId'], 'REASONING_MESSAGE', 'CONTENT'),
};
Object.setPrototypeOf(KINDS, null);

function kindOf(id: Kind['id'], required: string[], name: string, content: string): Kind {
  return { id, required, start: `${name}_START`, content: `${name}_${content}`, end: `${name}_END` };
}

/** Events that leave a chunk open. */
const LEAVE_OPEN = ['RAW', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'REASONING_ENCRYPTED_VALUE', 'SUBAGENT_STARTED'];
const REPEATED = ['role', 'name', 'toolCallName', 'parentMessageId', 'subagentRunId'];

/** Turns chunks into the events that they stand for. */
export class Chunks {
  private open: { type: string; kind: Kind; first: Json } | null = null;

  /** The events that an event stands for, in order. @throws RunFailure protocol */
  expand(event: Json): Json[] {
    const type = event.type as string;
    const kind = KINDS[type];
    if (!kind) return LEAVE_OPEN.includes(type) ? [event] : [...this.close(), event];
    const isSame =
      this.open?.type === type && (event[kind.id] ?? this.open.first[kind.id]) === this.open.first[kind.id];
    const opening = isSame ? this.repeat(event) : [...this.close(), ...this.begin(type, kind, event)];
    const delta = event.delta === undefined ? [] : [{ ...this.ids(), type: kind.content, delta: event.delta }];
    return [...opening, ...delta];
  }

  private begin(type: string, kind: Kind, event: Json): Json[] {
    const missing = kind.required.find((name) => event[name] === undefined);
    if (missing !== undefined) throw broken(`sent a first ${type} without ${missing}`);
    this.open = { type, kind, first: event };
    const { delta: _, ...rest } = event;
    return [{ ...rest, type: kind.start }];
  }

  private repeat(event: Json): Json[] {
    const { first, type } = this.open!;
    const other = REPEATED.find(
      (name) => event[name] !== undefined && event[name] !== (first[name] ?? defaultOf(name)),
    );
    if (other !== undefined) throw broken(`sent ${type} with another ${other}`);
    return [];
  }

  private close(): Json[] {
    if (!this.open) return [];
    const event = { ...this.ids(), type: this.open.kind.end };
    this.open = null;
    return [event];
  }

  private ids(): Json {
    const { kind, first } = this.open!;
    const tag = first.subagentRunId;
    return { [kind.id]: first[kind.id], ...(tag !== undefined && { subagentRunId: tag }) };
  }
}

function defaultOf(name: string): string | undefined {
  return name === 'role' ? 'assistant' : undefined;
}
