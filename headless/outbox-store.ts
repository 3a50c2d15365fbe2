import type { JsonStorage } from './json-storage.js';
import type { PendingMessage } from './types.js';

/** An unconfirmed message. `chatId` is missing when it was written before a chat was open. */
export type KeptMessage = PendingMessage & { chatId?: string };

export interface OutboxStore {
  readOutbox(): KeptMessage[];
  /** Replaces the messages that this tab has read or written. Messages of other tabs stay. */
  writeOutbox(messages: readonly KeptMessage[]): void;
}

/** Keeps an outbox under a key that all tabs share. */
export function createOutboxStore(storage: JsonStorage, key: string): OutboxStore {
  /** The ids of the messages that this tab has read or written. Any other message belongs to another tab. */
  const knownIds = new Set<string>();
  const readAll = () => {
    const kept = storage.read<KeptMessage[]>(key);
    return Array.isArray(kept) ? kept.filter(Boolean) : [];
  };
  const remember = <T extends readonly KeptMessage[]>(messages: T): T => {
    for (const { clientMessageId } of messages) knownIds.add(clientMessageId);
    return messages;
  };
  return {
    readOutbox: () => remember(readAll()),
    writeOutbox(messages) {
      remember(messages);
      const all = [...readAll().filter(({ clientMessageId }) => !knownIds.has(clientMessageId)), ...messages];
      storage.write(key, all[0] && all);
    },
  };
}
