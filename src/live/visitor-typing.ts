import { Injectable } from '@nestjs/common';
import type { Sender } from '../messages/message.js';
import { AgentReach } from './agent-reach.js';
import { LiveTexts } from './live-texts.js';
import { Typing } from './typing.js';
import type { TypingSignal } from './typing-event.js';

/** What agents were told that a socket reported. */
interface Told {
  organizationId: string;
  sender: Sender;
}

/** Typing that visitors report: seen by their other listeners on this node, and by agents on every node. */
@Injectable()
export class VisitorTyping {
  /** What agents were told of each socket, by chat. */
  private readonly told = new Map<string, Map<string, Told>>();

  constructor(
    private readonly typing: Typing,
    private readonly reach: AgentReach,
    private readonly texts: LiveTexts,
  ) {}

  /**
   * @param signal with a text, it is for agents alone
   * @param socketId the socket that reports it; none over REST
   */
  say(organizationId: string, signal: TypingSignal, socketId?: string): void {
    const { chatId, sender, isTyping } = signal;
    this.typing.say({ chatId, sender, isTyping }, socketId);
    if (!this.reach.isAnywhere(organizationId)) return;
    if (socketId !== undefined) this.keep(socketId, chatId, { organizationId, sender }, isTyping);
    this.tell(organizationId, signal);
  }

  /** Lets a socket that has opened a chat get the texts that are live in it. */
  welcome(socketId: string, chatId: string): void {
    this.typing.welcome(socketId, chatId);
  }

  /** To be called when a visitor's socket has disconnected. */
  leave(socketId: string): void {
    this.typing.leave(socketId);
    for (const [chatId, { organizationId, sender }] of this.told.get(socketId) ?? [])
      this.tell(organizationId, { chatId, sender, isTyping: false });
    this.told.delete(socketId);
  }

  private keep(socketId: string, chatId: string, told: Told, isTyping: boolean): void {
    const ofSocket = this.told.get(socketId) ?? new Map<string, Told>();
    if (isTyping) ofSocket.set(chatId, told);
    else ofSocket.delete(chatId);
    if (ofSocket.size > 0) this.told.set(socketId, ofSocket);
    else this.told.delete(socketId);
  }

  private tell(organizationId: string, signal: TypingSignal): void {
    this.texts.take('visitor.typing', { organizationId, senderId: signal.sender.id }, signal);
  }
}
