import { signal } from '@preact/signals';
import { goToChat } from '../route.js';

/** The message or note that the agent opened from a search, by its id. */
export const found = signal<{ chatId: string; key: string } | null>(null);

/** Opens a chat at a message or a note; without one, at its end. */
export function goToFound(chatId: string, key: string | undefined): void {
  found.value = key === undefined ? null : { chatId, key };
  goToChat(chatId);
}
