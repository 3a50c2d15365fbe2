/** A room of sockets: a chat's, an organization's agents', or one agent's. */
export type Room = `chat:${string}` | `organization:${string}` | `person:${string}`;

export const chatRoom = (chatId: string): Room => `chat:${chatId}`;
export const organizationRoom = (organizationId: string): Room => `organization:${organizationId}`;
export const personRoom = (agentId: string): Room => `person:${agentId}`;

/** Returns a room's chat; null for another kind of room. */
export function chatOf(room: string): string | null {
  return idOf(room, 'chat:');
}

/** Returns a room's organization; null for another kind of room. */
export function organizationOf(room: string): string | null {
  return idOf(room, 'organization:');
}

function idOf(room: string, kind: string): string | null {
  return room.startsWith(kind) ? room.slice(kind.length) : null;
}
