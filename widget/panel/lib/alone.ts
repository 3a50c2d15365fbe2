import type { Chat } from '../../client/types.js';

/** Whether a chat waits while no agent of its group is online; undefined if it doesn't wait, or the service is too old to say. */
export function isAlone(chat: Chat | null): boolean | undefined {
  const isStaffed = chat?.queue?.isStaffed;
  return isStaffed === undefined ? undefined : !isStaffed;
}
