import type { Chat, CoreClient } from '../client/types.js';
import type { Host } from '../types.js';

const isOver = ({ status }: Chat) => status === 'CLOSED' || status === 'ARCHIVED';

/**
 * Emits what happens to the page's chats, for its analytics, without what people write. The state that a chat had when the page opened it
 * isn't reported.
 * @param first the chat that the page opened first, as it was then
 */
export function report(host: Host, client: CoreClient, first: Chat): void {
  let before: Chat | undefined;
  const look = (chat: Chat | null) => {
    if (!chat) return;
    const isNew = before?.id !== chat.id && chat.messageCount === 0;
    if (isNew) host.emit('chat.started', { chatId: chat.id });
    const was = before?.id === chat.id ? before : undefined;
    before = chat;
    if (was || isNew) tell(host, chat, was);
  };
  look(first);
  client.chat.subscribe(look);
}

function tell(host: Host, chat: Chat, was: Chat | undefined): void {
  const { id: chatId, status, group, assignedTo, rating } = chat;
  if (status === 'QUEUED' && was?.status !== 'QUEUED')
    host.emit('handoff.requested', { chatId, group: group?.name ?? null });
  if (assignedTo && assignedTo.id !== was?.assignedTo?.id)
    host.emit('person.joined', { chatId, name: assignedTo.name });
  if (isOver(chat) && !(was && isOver(was))) host.emit('chat.ended', { chatId });
  if (rating && rating.score !== was?.rating?.score) host.emit('chat.rated', { chatId, score: rating.score });
}
