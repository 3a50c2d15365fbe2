/** A room of sockets: of a chat, of the agents of an organization, or of a person. */
export type Room = `chat:${string}` | `organization:${string}` | `person:${string}`;

export const chatRoom = (chatId: string): Room => `chat:${chatId}`;
export const organizationRoom = (organizationId: string): Room => `organization:${organizationId}`;
export const personRoom = (agentId: string): Room => `person:${agentId}`;

/** Returns the chat of a room, null for a room of another kind. */
export function chatOf(room: string): string | null {
  return idOf(room, 'chat:');
}

/** Returns the organization of a room, null for a room of another kind. */
export function organizationOf(room: string): string | null {
  return idOf(room, 'organization:');
}

function idOf(room: string, kind: string): string | null {
  return room.startsWith(kind) ? room.slice(kind.length) : null;
}
