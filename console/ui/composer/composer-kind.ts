import { signal } from '@preact/signals';
import { hasFiles } from '../../state/chat/draft-files.js';
import { type DraftKind, draftOf } from '../../state/chat/drafts.js';

/** What the agent writes in each chat, by chat id. */
const kinds = signal<ReadonlyMap<string, DraftKind>>(new Map());

/** Whether the agent writes a message or a note in a chat. */
export function kindOf(chatId: string): DraftKind {
  return kinds.value.get(chatId) ?? 'message';
}

export function setKind(chatId: string, kind: DraftKind): void {
  if (kindOf(chatId) !== kind) kinds.value = new Map([...kinds.value, [chatId, kind]]);
}

/** The chat is left: it begins with messages again, unless a note has been started. */
export function leaveKind(chatId: string): void {
  if (draftOf(chatId, 'note') === '' && !hasFiles(chatId, 'note')) setKind(chatId, 'message');
}
