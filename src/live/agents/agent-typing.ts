import { Injectable } from '@nestjs/common';
import { isAtLeast } from '../../agents/role.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentPeople } from '../agent-state/agent-people.js';
import { LiveTexts } from '../typing/live-texts.js';
import { Timings } from '../feeds/timings.js';
import type { TypingEvent } from '../feeds/typing-event.js';
import { type TextSignal, Typists } from '../typing/typists.js';

/** For so long after a chat went to another agent, in milliseconds, a text that was taken before may still come. */
const ASSIGNMENT_HOLDS = 5_000;

/** Who types, as agents see it. What a visitor writes is for the agent who has the chat, and for supervisors who follow it. */
@Injectable()
export class AgentTyping extends Typists {
  /** The chats whose agent changed lately. */
  private readonly assigned = new Map<string, { agentId: string | null; at: number }>();

  constructor(
    private readonly feed: AgentFeed,
    timings: Timings,
    texts: LiveTexts,
    private readonly people: AgentPeople,
  ) {
    super(feed, timings, texts);
    feed.onEmptied((chatId) => this.assigned.delete(chatId));
  }

  /** To be called when a chat has another agent, or none: the one before reads no more of what the visitor writes. */
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
    const isOfToday = !isPreview || this.hasStill(chatId, agentId);
    const mayRead = (socket: AgentSocket) => isOfToday && (!isPreview || this.readsVisitor(socket, chatId, agentId));
    this.feed.sendTyping(event, { socketId, mayRead });
  }

  private hasStill(chatId: string, agentId: string | undefined): boolean {
    const last = this.assigned.get(chatId);
    return !last || last.agentId === agentId || performance.now() - last.at > ASSIGNMENT_HOLDS;
  }

  private readsVisitor({ data: { agent, followed } }: AgentSocket, chatId: string, agentId?: string): boolean {
    if (agent.agentId === agentId) return true;
    const rights = this.people.rightsOf(agent);
    return rights !== undefined && isAtLeast(rights.role, 'SUPERVISOR') && followed.has(chatId);
  }
}
