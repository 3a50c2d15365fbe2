import { Injectable } from '@nestjs/common';
import type { Named } from '../chats/reading/chat-state.js';

/** Finds the agents who look at a chat now. */
export type FindViewers = (organizationId: string, chatId: string) => Promise<Named[]>;

/** The agents who look at a chat. Only the sockets know them: their namespace supplies the answer. */
@Injectable()
export class Viewers {
  private find: FindViewers = async () => [];

  supply(find: FindViewers): void {
    this.find = find;
  }

  of(organizationId: string, chatId: string): Promise<Named[]> {
    return this.find(organizationId, chatId);
  }
}
