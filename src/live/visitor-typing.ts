import { Injectable } from '@nestjs/common';
import type { Sender } from '../messages/message.js';
import { AgentReach } from './agent-reach.js';
import { LiveUpdates } from './live-updates.js';
import { Typing } from './typing.js';

/** Typing that visitors report: seen by their other listeners on this node, and by agents on every node. */
@Injectable()
export class VisitorTyping {
  /** What agents were told of each socket, by chat. */
  private readonly told = new Map<string, Map<string, Sender>>();

  constructor(
    private readonly typing: Typing,
    private readonly reach: AgentReach,
    private readonly updates: LiveUpdates,
  ) {}

  /** @param socketId the socket that reports it; none over REST */
  say(organizationId: string, chatId: string, sender: Sender, isTyping: boolean, socketId?: string): void {
    this.typing.say(chatId, sender, isTyping, socketId);
    if (!this.reach.isAnywhere(organizationId)) return;
    if (socketId !== undefined) this.keep(socketId, chatId, sender, isTyping);
    this.tell(chatId, sender, isTyping);
  }

  /** To be called when a visitor's socket has disconnected. */
  leave(socketId: string): void {
    this.typing.leave(socketId);
    for (const [chatId, sender] of this.told.get(socketId) ?? []) this.tell(chatId, sender, false);
    this.told.delete(socketId);
  }

  private keep(socketId: string, chatId: string, sender: Sender, isTyping: boolean): void {
    const ofSocket = this.told.get(socketId) ?? new Map<string, Sender>();
    if (isTyping) ofSocket.set(chatId, sender);
    else ofSocket.delete(chatId);
    if (ofSocket.size > 0) this.told.set(socketId, ofSocket);
    else this.told.delete(socketId);
  }

  private tell(chatId: string, sender: Sender, isTyping: boolean): void {
    void this.updates.bring(chatId, 'visitor.typing', { chatId, sender, isTyping });
  }
}
