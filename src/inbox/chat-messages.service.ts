import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/context/request-context.js';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { MessageBody, MessagePage, MessageView } from '../messages/message.js';
import { MessagesService } from '../messages/messages.service.js';
import { InboxService } from './views/inbox.service.js';

/** The messages of chats that an agent may see. */
@Injectable()
export class ChatMessagesService {
  constructor(
    private readonly inbox: InboxService,
    private readonly messages: MessagesService,
  ) {}

  /**
   * Sends the viewer's message (`MessagesService.sendFromAgent`).
   * @throws Problem not_found for a chat that the viewer may not see; not_assigned
   */
  async send(
    viewer: Viewer,
    context: RequestContext,
    chatId: string,
    body: MessageBody & { clientMessageId?: string },
  ): Promise<MessageView> {
    await this.inbox.getSeenChat(viewer, chatId);
    return this.messages.sendFromAgent(context, chatId, body);
  }

  /**
   * Messages after a `seq`, or before one when `beforeSeq` is given, in order.
   * @throws Problem not_found for a chat that the viewer may not see
   */
  async list(
    viewer: Viewer,
    chatId: string,
    { afterSeq = 0, beforeSeq, limit }: { afterSeq?: number; beforeSeq?: number; limit: number },
  ): Promise<MessagePage> {
    const { organizationId, messageCount } = await this.inbox.getSeenChat(viewer, chatId);
    return beforeSeq === undefined
      ? this.messages.readAfter(organizationId, chatId, messageCount, afterSeq, limit)
      : this.messages.readBefore(organizationId, chatId, messageCount, beforeSeq, limit);
  }
}
