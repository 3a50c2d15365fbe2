import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/context/request-context.js';
import type { Viewer } from '../../chats/model/chat-rights.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import type { ChatTyping, TypingReport } from '../feeds/typing-event.js';
import { LiveTexts } from './live-texts.js';
import { TypingSnapshots } from './typing-snapshots.js';
import { TypingSockets } from './typing-sockets.js';

/** Accepts the typing reports of agents (CONTRACT: Agent API). */
@Injectable()
export class AgentTyping {
  private readonly sockets: TypingSockets<ChatTyping>;

  constructor(
    private readonly inbox: InboxService,
    private readonly snapshots: TypingSnapshots,
    private readonly texts: LiveTexts,
    updates: LiveUpdates,
  ) {
    this.sockets = new TypingSockets(updates);
  }

  /**
   * The visitor sees the typing and the text of the agent who has the chat. The typing of other agents, without their text,
   * is for agents alone.
   * @param socketId the socket that reports; undefined over REST
   * @throws Problem not_found
   */
  async report(
    viewer: Viewer & { name: string },
    chatId: string,
    { isTyping, text }: TypingReport,
    socketId?: string,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    const { organizationId, agentId, name } = viewer;
    await this.inbox.getSeenChat(viewer, chatId);
    const { agentId: ownerId, afterSeq, at } = await this.snapshots.get(organizationId, chatId);
    const isOwner = ownerId === agentId;
    const actor: Actor = { type: 'AGENT', id: agentId, name };
    const typing = { organizationId, chatId, actor, isForAgentsOnly: !isOwner, afterSeq, at, isTyping };
    this.sockets.report(typing, agentId, socketId, { ...typing, isTyping: false });
    const shown = { ...(isTyping && isOwner && text !== undefined && { text }) };
    this.texts.accept('chat.typing', { organizationId, senderId: agentId }, { ...typing, ...shown });
    return { chatId, isTyping };
  }

  /** Ends the typing that this socket, which has disconnected, was the last to report. */
  leave(socketId: string): void {
    for (const end of this.sockets.leave(socketId)) {
      const { organizationId, actor } = end;
      this.texts.accept('chat.typing', { organizationId, senderId: actor.id }, end);
    }
  }
}
