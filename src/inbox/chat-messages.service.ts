import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/context/request-context.js';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { MessageBody, MessagePage, MessageView } from '../messages/message.js';
import { MessageDeletions } from '../messages/message-deletions.service.js';
import { MessagesService } from '../messages/messages.service.js';
import { InboxService } from './views/inbox.service.js';

/** The messages of chats that an agent may see. */
@Injectable()
export class ChatMessagesService {
  constructor(
    private readonly inbox: InboxService,
    private readonly messages: MessagesService,
    private readonly deletions: MessageDeletions,
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

  /** Deletes the viewer's own message. @throws Problem not_found; forbidden for another sender's message */
  async delete(viewer: Viewer, context: RequestContext, chatId: string, seq: number): Promise<void> {
    await this.inbox.getSeenChat(viewer, chatId);
    await this.deletions.deleteOwn(context, chatId, seq);
  }

  /** See `MessagesService.readDeleted`. Check first that the viewer may see the chat. */
  readDeleted({ organizationId }: Viewer, chatId: string, lastSeq: number): Promise<MessageView[]> {
    return this.messages.readDeleted(organizationId, chatId, lastSeq);
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
