import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../chats/model/chat-rights.js';
import type { Named } from '../../chats/reading/chat-state.js';
import type { ChatDetail } from '../../inbox/views/chat-detail.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { ChatViewers } from './chat-viewers.js';

/** A chat with what an agent needs to answer it, and the agents who have it open now (CONTRACT: Agent API). */
export interface ViewedChat extends ChatDetail {
  viewers: Named[];
}

@Injectable()
export class ViewedChats {
  constructor(
    private readonly inbox: InboxService,
    private readonly viewers: ChatViewers,
  ) {}

  /** @throws Problem not_found for a chat that the viewer may not see */
  async get(viewer: Viewer, chatId: string): Promise<ViewedChat> {
    const chat = await this.inbox.getDetail(viewer, chatId);
    return { ...chat, viewers: this.viewers.of(chatId) };
  }
}
