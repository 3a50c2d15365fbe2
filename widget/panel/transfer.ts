import type { Message } from '../client/types.js';

/** The group that a message of the system says the visitor now waits for. */
export function transferredTo({ sender, metadata }: Message): string | undefined {
  const { event, groupName } = metadata ?? {};
  return sender.type === 'SYSTEM' && event === 'chat.transferred' && typeof groupName === 'string'
    ? groupName
    : undefined;
}
