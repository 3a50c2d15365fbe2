import { aNumber, type Checks, checkOptions, oneOf } from './lib/check.js';
import type { Message } from './wire.js';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A message for the OpenAI Agents SDK. */
export type AgentInputMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; status: 'completed'; content: { type: 'output_text'; text: string }[] };

export interface ModelMessagesOptions {
  /**
   * `'openai'` (default): system messages, such as a hand-over, have the role `system`. `'ai-sdk'`: they have the role `assistant`, because
   * several providers accept a system message only at the beginning. `'openai-agents'`: the input of the OpenAI Agents SDK.
   */
  format?: 'openai' | 'ai-sdk' | 'openai-agents';
  /** The most tokens of all messages together, estimated at 4 bytes of UTF-8 each. The newest message is always kept. */
  maxTokens?: number;
  /** The most messages. Older ones are left out. */
  count?: number;
}

const CHECKS: Checks<ModelMessagesOptions> = {
  format: oneOf('openai', 'ai-sdk', 'openai-agents'),
  maxTokens: aNumber(1),
  count: aNumber(1),
};

/** Bytes of UTF-8 per token, and additional tokens per message: an estimate that works for models of several providers. */
const BYTES_OF_TOKEN = 4;
const TOKENS_AROUND = 4;

/**
 * Converts a chat's history to messages for a language model, oldest first. The visitor is `user`, the bot `assistant`. Agents are
 * `assistant` too, with the agent's name before the text. System messages are in brackets, and so are the name, type, and size of each file. Deleted messages are left out.
 * @throws TypeError that names an invalid option
 */
export function toModelMessages(
  history: readonly Message[],
  options: ModelMessagesOptions & { format: 'openai-agents' },
): AgentInputMessage[];
export function toModelMessages(history: readonly Message[], options?: ModelMessagesOptions): ModelMessage[];
export function toModelMessages(
  history: readonly Message[],
  options: ModelMessagesOptions = {},
): (ModelMessage | AgentInputMessage)[] {
  checkOptions(options, CHECKS);
  const { format, maxTokens, count } = options;
  const system = format === 'ai-sdk' ? 'assistant' : 'system';
  const messages = history.flatMap((message) => toModelMessage(message, system)).slice(-(count ?? Infinity));
  const fitting = newest(messages, maxTokens ?? Infinity);
  return format === 'openai-agents' ? fitting.map(toAgentInput) : fitting;
}

function toAgentInput({ role, content }: ModelMessage): AgentInputMessage {
  if (role !== 'assistant') return { role, content };
  return { role, status: 'completed', content: [{ type: 'output_text', text: content }] };
}

function newest(messages: ModelMessage[], maxTokens: number): ModelMessage[] {
  const encoder = new TextEncoder();
  let left = maxTokens;
  const end = messages.findLastIndex(({ content }) => {
    left -= Math.ceil(encoder.encode(content).length / BYTES_OF_TOKEN) + TOKENS_AROUND;
    return left < 0;
  });
  return messages.slice(Math.min(end + 1, messages.length - 1));
}

function toModelMessage(message: Message, system: 'system' | 'assistant'): ModelMessage[] {
  const { sender, metadata, deletedAt } = message;
  if (deletedAt !== undefined) return [];
  const content = textOf(message);
  switch (sender.type) {
    case 'VISITOR':
      return [{ role: 'user', content }];
    case 'AGENT':
      return [{ role: 'assistant', content: `${sender.name ?? 'An agent'} (agent): ${content}` }];
    case 'SYSTEM': {
      const reason = typeof metadata.reason === 'string' ? `: ${metadata.reason}` : '';
      return [{ role: system, content: `[${content}${reason}]` }];
    }
    default:
      return [{ role: 'assistant', content }];
  }
}

/** A message's text, with its picture's address, its choices, and its files. */
function textOf({ type, content, metadata, files = [] }: Message): string {
  const { url, options, cards, form } = metadata as Record<string, unknown>;
  const isButton = type === 'BUTTON';
  const fields = (form as { fields?: unknown } | null | undefined)?.fields;
  const labels = [...textsOf(options, 'label'), ...(isButton ? textsOf(cards, 'title') : [])].join(', ');
  const asked = isButton ? textsOf(fields, 'label').join(', ') : '';
  const picture = type === 'IMAGE' && typeof url === 'string' ? `[Picture: ${url}]` : '';
  const choices = (type === 'QUICK_REPLY' || isButton) && labels ? `[Choices: ${labels}]` : '';
  const questions = asked && `[Form: ${asked}]`;
  const named = files.map(({ name, type, size }) => `[File: ${name}, ${type}, ${size.toLocaleString('en')} bytes]`);
  return [picture, content, choices, questions, ...named].filter(Boolean).join('\n');
}

function textsOf(list: unknown, key: 'label' | 'title'): string[] {
  return Array.isArray(list) ? list.map((entry: Record<string, unknown> | null) => String(entry?.[key])) : [];
}
