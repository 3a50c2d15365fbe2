import type { Message } from '../client/types.js';

/** Returns the name of the group, when this system message reports a transfer to a group. */
export function transferredTo({ sender, metadata }: Message): string | undefined {
  const { event, groupName } = metadata ?? {};
  return sender.type === 'SYSTEM' && event === 'chat.transferred' && typeof groupName === 'string'
    ? groupName
    : undefined;
}
