import { Injectable } from '@nestjs/common';
import { TypingSockets } from '../../chats/signals/typing-sockets.js';
import type { Sender } from '../../messages/message.js';
import { AgentReach } from '../agent-state/agent-reach.js';
import { LiveTexts } from '../typing/live-texts.js';
import { LiveUpdates } from '../feeds/live-updates.js';
import { Typing } from './typing.js';
import type { TypingSignal } from '../feeds/typing-event.js';

/** What agents were told that a socket reported. */
interface Told {
  organizationId: string;
  chatId: string;
  sender: Sender;
}

/** Typing that visitors report: seen by their other listeners on this node, and by agents on every node. */
@Injectable()
export class VisitorTyping {
  /** What agents were told. */
  private readonly sockets = new TypingSockets<Told>();

  constructor(
    private readonly typing: Typing,
    private readonly reach: AgentReach,
    private readonly texts: LiveTexts,
    updates: LiveUpdates,
  ) {
    updates.on('message.created', ({ message: { chatId, sender } }) => this.sockets.end(chatId, sender.id));
  }

  /**
   * @param signal with a text, it is for agents alone
   * @param socketId the socket that reports it; none over REST
   */
  say(organizationId: string, signal: TypingSignal, socketId?: string): void {
    const { chatId, sender, isTyping } = signal;
    this.typing.say({ chatId, sender, isTyping }, socketId);
    if (!this.reach.isAnywhere(organizationId)) return;
    if (!isTyping) this.sockets.end(chatId, sender.id);
    else if (socketId !== undefined) this.sockets.add(socketId, chatId, sender.id, { organizationId, chatId, sender });
    this.tell(organizationId, signal);
  }

  /** Lets a socket that has opened a chat get the texts that are live in it. */
  welcome(socketId: string, chatId: string): void {
    this.typing.welcome(socketId, chatId);
  }

  /** To be called when a visitor's socket has disconnected. */
  leave(socketId: string): void {
    this.typing.leave(socketId);
    for (const { organizationId, chatId, sender } of this.sockets.leave(socketId))
      this.tell(organizationId, { chatId, sender, isTyping: false });
  }

  private tell(organizationId: string, signal: TypingSignal): void {
    this.texts.take('visitor.typing', { organizationId, senderId: signal.sender.id }, signal);
  }
}
