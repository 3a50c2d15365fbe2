import type { Conversation, OpenConnection, Part, Said } from '../model/conversation.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { bodyWithin, runRequest } from './json-request.js';
import { dataText } from './shared-data.js';
import { mediaOf, textWithFiles } from './shared-files.js';
import { toolsOf } from './tools.js';

/** A message of chat completions. */
export type ChatMessage = Record<string, unknown> & { role: string };

/** The request of chat completions (CONTRACT: Bots by address). */
export function openAiRequest(connection: OpenConnection, conversation: Conversation): EndpointRequest {
  const { settings } = connection;
  const tools = toolsOf(settings.tools, conversation.groups);
  const rest = {
    ...settings.body,
    model: settings.model,
    stream: true,
    ...(settings.includeUsage && { stream_options: { include_usage: true } }),
    ...(settings.temperature !== null && { temperature: settings.temperature }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  };
  const data = dataText(conversation);
  const before = [systemMessage(connection, conversation), ...(data === null ? [] : [{ role: 'user', content: data }])];
  const { history, asked, followUp } = conversation;
  const after = [...asked.map((said) => ({ said })), ...followUp];
  const body = bodyWithin(history.length, (first) => ({
    ...rest,
    messages: [...before, ...joined([...history.slice(first), ...after])],
  }));
  return runRequest(connection, conversation, { path: '/chat/completions', body });
}

function systemMessage({ settings }: OpenConnection, { groups }: Conversation): ChatMessage {
  const rules =
    settings.tools.length > 0
      ? 'You talk to a visitor in a chat. Messages that begin with [Team] are by people of the team; never begin yours so.'
      : MARKER_RULES;
  const offered =
    groups && groups.length > 0 && settings.tools.includes('hand_over')
      ? `The groups that you can hand over to:\n${groups.map(({ id, name, availability }) => `- ${id}: ${JSON.stringify(name)}, ${availability}`).join('\n')}`
      : null;
  return { role: 'system', content: [settings.instructions, rules, offered].filter(Boolean).join('\n\n') };
}

const MARKER_RULES = [
  'You talk to a visitor in a chat. Messages that begin with [Team] are by people of the team; never begin yours so.',
  'To hand the chat over to a person, end your answer with a line that has only [[hand_over: reason]].',
].join(' ');

/** Joins messages of one role in a row, except those with calls, and their answers. */
function joined(parts: readonly Part[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let last: ChatMessage | null = null;
  for (const part of parts) {
    if ('raw' in part) {
      messages.push(...(part.raw as ChatMessage[]));
      last = null;
      continue;
    }
    const message = toChatMessage(part.said);
    if (last?.role === message.role) last.content = withContent(last.content, message.content);
    else messages.push((last = message));
  }
  return messages;
}

type Content = string | Record<string, unknown>[];

function withContent(before: unknown, added: unknown): Content {
  if (typeof before === 'string' && typeof added === 'string') return `${before}\n\n${added}`;
  return [before, added].flatMap((content) => (typeof content === 'string' ? toText(content) : (content as [])));
}

const toText = (text: string) => (text === '' ? [] : [{ type: 'text', text }]);

function toChatMessage(said: Said): ChatMessage {
  const { by, name, files } = said;
  const pictures = by === 'VISITOR' ? files.filter((file) => mediaOf(file) === 'image') : [];
  const text = textWithFiles(said, (file) => pictures.includes(file));
  if (by === 'VISITOR') {
    const urls = pictures.map(({ url }) => ({ type: 'image_url', image_url: { url } }));
    return { role: 'user', content: urls.length === 0 ? text : [...toText(text), ...urls] };
  }
  return { role: 'assistant', content: by === 'TEAM' ? `[Team] ${name === null ? '' : `${name}: `}${text}` : text };
}
