/** A room of sockets: of a chat, of a group, or of a person. */
export type Room = `chat:${string}` | `group:${string}` | `person:${string}`;

export const chatRoom = (chatId: string): Room => `chat:${chatId}`;

/** Returns the chat of a room, null for a room of another kind. */
export function chatOf(room: string): string | null {
  return room.startsWith('chat:') ? room.slice('chat:'.length) : null;
}
