import type { EntityManager } from 'typeorm';
import '../../chats/model/chats.events.js';
import { raiseRev } from '../../chats/moves/chat-transitions.queries.js';
import type { DomainEventBus } from '../../platform/database/domain-events.js';

interface AboutChat {
  organizationId: string;
  chatId: string | null;
  /** Only mails about missed answers have one. */
  afterSeq?: number | null;
}

/** Makes agents' clients reload a chat when something became of a mail about a missed answer. Locks the chat. */
export async function announceMissed(
  tx: EntityManager,
  events: DomainEventBus,
  { organizationId, chatId, afterSeq = null }: AboutChat,
): Promise<void> {
  if (afterSeq === null || chatId === null) return;
  await raiseRev(tx, organizationId, chatId);
  events.emit('chat.changed', { organizationId, chatId }, tx);
}
