import type { Chat, Message, Sender } from '../client/types.js';
import type { Strings } from '../locales/en.js';

/** What the service tells of a chat, by the `metadata.event` of its message (CONTRACT section 8). */
const EVENTS: Record<string, keyof Strings> = {
  'chat.transferred': 'waiting',
  'chat.assigned': 'joined',
  'chat.unassigned': 'left',
  'chat.returned': 'returned',
  'chat.unanswered': 'unanswered',
};

/** A system message in the visitor's language, as a template with the names in it; its own content where there are no words for it. */
export function systemWords(
  { content, metadata }: Message,
  strings: Strings,
): { template: string; names: Record<string, string> } {
  const { event, groupName, agentName } = (metadata ?? {}) as Record<string, string | undefined>;
  const template = strings[EVENTS[`${event}`] ?? 'deleted'];
  const names = { groupName: groupName ?? '', name: agentName ?? '' };
  const isKnown = EVENTS[`${event}`] && (template!.includes('{') ? groupName || agentName : true);
  return isKnown
    ? { template: template!, names }
    : { template: '{content}', names: { content: content || strings.deleted } };
}

/** The picture of a sender, which is known of the agent who has the chat. */
export function avatarOf(chat: Chat | null, { id }: Sender): string | null | undefined {
  return chat?.assignedTo?.id === id ? chat?.assignedTo?.avatarUrl : undefined;
}
