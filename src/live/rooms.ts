/** Where sockets listen: to a chat, to what concerns a group, or to what concerns one person. */
export type Room = `chat:${string}` | `group:${string}` | `person:${string}`;

export const chatRoom = (chatId: string): Room => `chat:${chatId}`;

/** The chat of a room, null for a room of another kind. */
export function chatOf(room: string): string | null {
  return room.startsWith('chat:') ? room.slice('chat:'.length) : null;
}
