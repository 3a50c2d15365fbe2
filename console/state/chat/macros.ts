import { signal } from '@preact/signals';
import type { Reply } from '../../api/types.js';

/** The action of an inserted reply. */
export type Macro = Pick<Reply, 'action' | 'actionGroupId'>;

/** What follows the next message of each chat, by chat id. */
const macros = signal<ReadonlyMap<string, Macro>>(new Map());

export function macroOf(chatId: string): Macro | undefined {
  return macros.value.get(chatId);
}

/** @param macro undefined or without an action: nothing follows */
export function setMacro(chatId: string, macro?: Macro): void {
  const others = [...macros.value].filter(([id]) => id !== chatId);
  macros.value = new Map(macro?.action ? [...others, [chatId, macro]] : others);
}

export function forgetMacros(): void {
  macros.value = new Map();
}
