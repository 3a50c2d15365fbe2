import type { Chat, Message, Sender } from '../../client/types.js';
import type { Strings } from '../../locales/en.js';
import type { Host } from '../../types.js';

/** The texts of system messages, by their `metadata.event` (CONTRACT: Who has a chat). */
const EVENTS: Record<string, keyof Strings> = {
  'chat.transferred': 'waiting',
  'chat.assigned': 'joined',
  'chat.unassigned': 'left',
  'chat.returned': 'returned',
  'chat.unanswered': 'unanswered',
  'chat.closed': 'closedBy',
  'chat.reopened': 'reopenedBy',
};

/** The chat was transferred because its bot didn't take or answer a message, or gave up. */
const SILENT = /^bot_(silent|unanswered|failed)$/;

interface EventMetadata {
  event?: string;
  reason?: string;
  groupName?: string;
  agentName?: string;
  by?: Sender;
}

/** A system message in the visitor's language, as a template with the names in it; its own content for unknown events. */
export function systemWords(
  { content, metadata }: Message,
  strings: Strings,
): { template: string; names: Record<string, string> } {
  const { event, reason, groupName, agentName, by } = (metadata ?? {}) as EventMetadata;
  const key = EVENTS[`${event}`];
  const template = strings[by?.type === 'VISITOR' ? (`${key}You` as 'closedByYou') : (key ?? 'deleted')];
  // Visitors don't see the names of administrators.
  const name = agentName ?? (by && (by.name || strings[by.type === 'BOT' ? 'bot' : 'team']));
  const names = { groupName: groupName ?? '', name: name ?? '' };
  // Texts of another release may lack it.
  return key && template && (!template.includes('{') || groupName || name)
    ? { template: SILENT.test(`${reason}`) ? `${strings.botSilent ?? ''} ${template}` : template, names }
    : { template: '{content}', names: { content: content || strings.deleted } };
}

/** Whether a sender is an AI. Services of an earlier release don't say of bots that they are. */
export function isAi({ type, isAi: said }: Sender): boolean {
  return type === 'BOT' && said !== false;
}

/** What visitors read before the first word of an AI. No word of the page replaces it (CONTRACT: AI disclosure). */
export function disclosureOf({ chosen, words }: Host): string {
  // Words and settings of an earlier release lack it.
  return chosen?.aiDisclosure?.text ?? words.aiDisclosure ?? 'AI';
}

/** The picture of a sender, known only for the chat's agent. */
export function avatarOf(chat: Chat | null, { id }: Sender): string | null | undefined {
  return chat?.assignedTo?.id === id ? chat?.assignedTo?.avatarUrl : undefined;
}
