import type { Message } from './wire.js';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelMessagesOptions {
  /**
   * `'openai'` (default): what happened to the chat has the role `system`. `'ai-sdk'`: it has the role `assistant`, because several
   * providers take a system message at the beginning alone.
   */
  format?: 'openai' | 'ai-sdk';
  /** How many tokens the messages may have together, estimated at 4 bytes of UTF-8 each; the newest message is always kept. */
  maxTokens?: number;
  /** How many messages at most, the newest. */
  count?: number;
}

/** Bytes of UTF-8 that make a token, and the tokens around each message: an estimate that holds for models of several makers. */
const BYTES_OF_TOKEN = 4;
const TOKENS_AROUND = 4;

/**
 * The history of a chat as a language model takes it, oldest first: the visitor is `user`, the bot `assistant`. Agents are
 * `assistant` too, each message with its agent's name, and what happened to the chat stands in brackets. Deleted messages are left out.
 * @throws TypeError that names a wrong option
 */
export function toModelMessages(
  history: readonly Message[],
  { format = 'openai', maxTokens = Infinity, count = Infinity }: ModelMessagesOptions = {},
): ModelMessage[] {
  if (format !== 'openai' && format !== 'ai-sdk') throw new TypeError("format must be 'openai' or 'ai-sdk'");
  if (!(maxTokens >= 1)) throw new TypeError('maxTokens must be at least 1');
  if (!(count >= 1)) throw new TypeError('count must be at least 1');
  const system = format === 'openai' ? 'system' : 'assistant';
  const messages = history.flatMap((message) => toModelMessage(message, system)).slice(-count);
  return newest(messages, maxTokens);
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

/** The text of a message, with the address of its picture and the choices that it offers. */
function textOf({ type, content, metadata }: Message): string {
  const { url, options } = metadata as { url?: unknown; options?: { label?: unknown }[] };
  const labels = Array.isArray(options) ? options.map((option) => String(option?.label)).join(', ') : '';
  const picture = type === 'IMAGE' && typeof url === 'string' ? `[Picture: ${url}]` : '';
  const choices = (type === 'QUICK_REPLY' || type === 'BUTTON') && labels ? `[Choices: ${labels}]` : '';
  return [picture, content, choices].filter(Boolean).join('\n');
}
