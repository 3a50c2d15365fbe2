import { signal } from '@preact/signals';
import { JsonStorage } from '../../../headless/json-storage.js';
import type { Reply } from '../../api/types.js';
import { nameOfDraft } from './drafts.js';

/** The action of an inserted reply. */
export type Macro = Pick<Reply, 'action' | 'actionGroupId'>;

/** As it's stored: drafts have a text and a time. */
type KeptMacro = Macro & { text: string; at: number };

const storage = new JsonStorage();
/** Increases with every change, in this tab or another. */
const version = signal(0);

const nameOf = (chatId: string) => nameOfDraft(chatId, 'macro');

/** What follows the next message of a chat. It's kept with the draft, and deleted with it. */
export function macroOf(chatId: string): Macro | undefined {
  void version.value;
  const { action = null, actionGroupId = null } = storage.read<KeptMacro>(nameOf(chatId)) ?? {};
  return action ? { action, actionGroupId } : undefined;
}

/** @param macro undefined or without an action: nothing follows */
export function setMacro(chatId: string, macro?: Macro): void {
  const { action = null, actionGroupId = null } = macro ?? {};
  if (!action && !macroOf(chatId)) return;
  const kept: KeptMacro = { action, actionGroupId, text: action ?? '', at: Date.now() };
  storage.write(nameOf(chatId), action ? kept : undefined);
  version.value++;
}

/** Keeps them in sync between tabs. Call this once. */
export function keepMacros(): void {
  addEventListener('storage', ({ key }) => {
    if (key === null || key.includes(':macro:')) version.value++;
  });
}
