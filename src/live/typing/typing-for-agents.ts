import { Injectable } from '@nestjs/common';
import { isAtLeast } from '../../agents/role.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentPermissions } from '../agent-state/agent-permissions.js';
import { LiveTexts } from './live-texts.js';
import { Timings } from '../feeds/timings.js';
import type { TypingEvent } from '../feeds/typing-event.js';
import { type TextSignal, TypingIndicators } from './typing-indicators.js';

/** How long after reassignment, in milliseconds, a stale live text may still arrive. */
const STALE_TEXT_MS = 5_000;

/** Who types, as agents see it. Only the agent who has the chat and supervisors who follow it read what a visitor writes. */
@Injectable()
export class TypingForAgents extends TypingIndicators {
  /** The agents of recently reassigned chats. */
  private readonly assigned = new Map<string, { agentId: string | null; at: number }>();

  constructor(
    private readonly feed: AgentFeed,
    timings: Timings,
    texts: LiveTexts,
    private readonly permissions: AgentPermissions,
  ) {
    super(feed, timings, texts);
    feed.onEmptied((chatId) => this.assigned.delete(chatId));
  }

  /** Notes the new agent of a chat, if any. The previous agent can't read what the visitor writes from here on. */
  assign(chatId: string, agentId: string | null): void {
    if (!this.feed.hasChat(chatId)) return;
    this.assigned.set(chatId, { agentId, at: performance.now() });
    for (const typist of this.of(chatId)) {
      const formerId = typist.text?.agentId;
      if (formerId === undefined || formerId === agentId) continue;
      this.clearText(typist);
      this.feed.sendTypingTo(formerId, { chatId, sender: typist.sender, isTyping: false });
    }
  }

  protected sendText(event: TypingEvent, { sender, agentId }: TextSignal, socketId?: string): void {
    const { chatId } = event;
    const isPreview = sender.type === 'VISITOR';
    const isCurrent = !isPreview || this.isStillAssigned(chatId, agentId);
    const mayRead = (socket: AgentSocket) => isCurrent && (!isPreview || this.readsVisitor(socket, chatId, agentId));
    this.feed.sendTyping(event, { socketId, mayRead });
  }

  private isStillAssigned(chatId: string, agentId: string | undefined): boolean {
    const last = this.assigned.get(chatId);
    return !last || last.agentId === agentId || performance.now() - last.at > STALE_TEXT_MS;
  }

  private readsVisitor({ data: { agent, followed } }: AgentSocket, chatId: string, agentId?: string): boolean {
    if (agent.agentId === agentId) return true;
    const rights = this.permissions.rightsOf(agent);
    return rights !== undefined && isAtLeast(rights.role, 'SUPERVISOR') && followed.has(chatId);
  }
}
