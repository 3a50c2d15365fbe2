import { Injectable } from '@nestjs/common';
import type { ReplyAction } from '../agents/canned-reply.entity.js';
import type { RequestContext } from '../auth/context/request-context.js';
import type { Viewer } from '../chats/model/chat-rights.js';
import { type ActingAgent, AgentActionsService } from '../handoff/agent-actions.service.js';
import type { MessageBody, MessagePage, MessageView } from '../messages/message.js';
import { MessageDeletions } from '../messages/message-deletions.service.js';
import { MessagesService } from '../messages/messages.service.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { InboxService } from './views/inbox.service.js';

/** An agent's message, and what follows once it's stored. */
export interface AgentMessage extends MessageBody {
  clientMessageId?: string;
  action?: ReplyAction;
  /** Given if, and only if, the action is `TRANSFER`. */
  actionGroupId?: string;
}

/** The messages of chats that an agent may see. */
@Injectable()
export class ChatMessagesService {
  constructor(
    private readonly inbox: InboxService,
    private readonly messages: MessagesService,
    private readonly deletions: MessageDeletions,
    private readonly actions: AgentActionsService,
  ) {}

  /**
   * Sends the viewer's message (`MessagesService.sendFromAgent`), then closes or transfers the chat if the message says so. If that
   * is refused, the message stays stored. A retry is the same message even if the action took the chat out of the viewer's sight.
   * @throws Problem not_found for a chat that the viewer may not see, or for the group; not_assigned; validation_failed; conflict
   */
  async send(
    viewer: Viewer,
    context: RequestContext,
    chatId: string,
    { action, actionGroupId, ...body }: AgentMessage,
  ): Promise<MessageView> {
    if ((action === 'TRANSFER') !== (actionGroupId !== undefined))
      throw invalid('/actionGroupId', 'is required with the action TRANSFER, and only with it');
    if (!(await this.inbox.findSeenChat(viewer, chatId)))
      return (await this.messages.findSentByAgent(context, chatId, body.clientMessageId)) ?? notFound('Chat');
    const message = await this.messages.sendFromAgent(context, chatId, body);
    // The message of an earlier request may be in another chat.
    if (action && message.chatId === chatId)
      await this.follow({ context, role: viewer.role, afterSeq: message.seq }, chatId, action, actionGroupId);
    return message;
  }

  // The chat was the agent's when the message was stored. If it has moved since, an earlier try of this request did it, or someone else,
  // and nothing is left to do, even if the agent has it back.
  private async follow(acting: ActingAgent, chatId: string, action: ReplyAction, groupId?: string): Promise<void> {
    try {
      await (action === 'CLOSE'
        ? this.actions.close(acting, chatId)
        : this.actions.transfer(acting, chatId, { groupId }));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_assigned') throw error;
    }
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
