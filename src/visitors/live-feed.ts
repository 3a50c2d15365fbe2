import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { ChatState } from '../chats/chats.dto.js';
import type { MessageResponse } from '../messages/messages.dto.js';

/** The sockets that listen to a chat. What it sends is a hint; `seq` makes it exact (CONTRACT section 3). */
@Injectable()
export class LiveFeed {
  private namespace?: Namespace;

  attach(namespace: Namespace): void {
    this.namespace = namespace;
  }

  /** A socket that has gone meanwhile is not put into a room: nothing would ever take it out again. */
  async join(socket: Socket, chatId: string): Promise<void> {
    if (socket.connected) await socket.join(room(chatId));
  }

  /** Nothing is made ready for a chat that nobody listens to. */
  sendMessage(message: MessageResponse): void {
    if (this.hasListeners(message.chatId)) this.namespace?.to(room(message.chatId)).emit('message', message);
  }

  sendChat(chat: ChatState): void {
    this.namespace?.to(room(chat.id)).emit('chat', chat);
  }

  /** Whether anybody here listens to a chat. */
  hasListeners(chatId: string): boolean {
    return this.namespace?.adapter.rooms.has(room(chatId)) ?? false;
  }

  /** Ends the sockets of an organization that is gone. */
  disconnectOrganization(organizationId: string): void {
    for (const socket of this.namespace?.sockets.values() ?? []) {
      const { visitor } = socket.data as { visitor?: { organizationId: string } };
      if (visitor?.organizationId === organizationId) socket.disconnect(true);
    }
  }
}

function room(chatId: string): string {
  return `chat:${chatId}`;
}
