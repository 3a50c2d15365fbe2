import type { Chat, Message } from '../../client/types.js';

/**
 * Whether a chat waits while no one takes it: its group is closed, has no agent online, or the last line says that no one is available.
 * Header and card both ask this, so that they never disagree with each other or the line.
 */
export function isAlone(chat: Chat | null, messages: readonly Message[]): boolean {
  if (!chat || chat.assignedTo) return false;
  const { isOpen, isStaffed } = chat.queue ?? {};
  const line = messages.findLast(({ sender, metadata }) => sender.type === 'SYSTEM' && metadata.event);
  return isOpen === false || isStaffed === false || line?.metadata.event === 'chat.unanswered';
}
