import { Injectable } from '@nestjs/common';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import type { Sender } from '../../messages/message.js';
import { AgentNodes } from '../agent-state/agent-nodes.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import type { TypingReport, TypingSignal } from '../feeds/typing-event.js';
import { LiveTexts } from './live-texts.js';
import { TypingForVisitors } from './typing-for-visitors.js';
import { TypingSnapshots } from './typing-snapshots.js';
import { TypingSockets } from './typing-sockets.js';

/** Accepts the typing reports of visitors: for the chat's other visitor sockets on this node, and for agents on every node. */
@Injectable()
export class VisitorTyping {
  private readonly sockets: TypingSockets<{ organizationId: string; signal: TypingSignal }>;

  constructor(
    private readonly chats: ChatsService,
    private readonly snapshots: TypingSnapshots,
    private readonly typing: TypingForVisitors,
    private readonly agentNodes: AgentNodes,
    private readonly texts: LiveTexts,
    private readonly queue: VisitorQueue,
    updates: LiveUpdates,
  ) {
    this.sockets = new TypingSockets(updates);
  }

  /**
   * Shows the typing of a visitor. If the organization has typing previews, the agent who has the chat also gets the text.
   * @param socketId the socket that reports; undefined over REST
   * @throws Problem not_found
   */
  async report(
    { organizationId, visitorId, limitKey }: VisitorIdentity,
    chatId: string,
    { isTyping, text }: TypingReport,
    socketId?: string,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    const [{ visitorName: name }, snapshot] = await this.queue.run(limitKey, async () => [
      await this.chats.getOfVisitor(organizationId, visitorId, chatId),
      await this.snapshots.get(organizationId, chatId),
    ]);
    const { afterSeq, at, agentId, typingPreview } = snapshot;
    const sender: Sender = { type: 'VISITOR', id: visitorId, name };
    const isShown = isTyping && typingPreview && agentId !== null && text !== undefined;
    this.typing.apply({ chatId, sender, isTyping }, socketId);
    if (!this.agentNodes.isAnywhere(organizationId)) return { chatId, isTyping };
    const signal = { chatId, sender, isTyping, afterSeq, at, ...(isShown && { text, agentId }) };
    const end = { organizationId, signal: { chatId, sender, isTyping: false } };
    this.sockets.report(signal, visitorId, socketId, end);
    this.texts.accept('visitor.typing', { organizationId, senderId: visitorId }, signal);
    return { chatId, isTyping };
  }

  /** Sends a socket that has opened a chat the texts that are live in it. */
  sendLiveTexts(socketId: string, chatId: string): void {
    this.typing.sendLiveTexts(socketId, chatId);
  }

  /** Ends the typing that this socket, which has disconnected, was the last to report. */
  leave(socketId: string): void {
    this.typing.leave(socketId);
    for (const { organizationId, signal } of this.sockets.leave(socketId))
      this.texts.accept('visitor.typing', { organizationId, senderId: signal.sender.id }, signal);
  }
}
