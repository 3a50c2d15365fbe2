import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Sender } from '../messages/message.js';
import { AgentFeed } from './agent-feed.js';
import { Timings } from './timings.js';
import type { TypingEvent } from './typing-event.js';
import { VisitorFeed } from './visitor-feed.js';

/** The most people who type at once; more are ignored. */
const MAX_TYPISTS = 10_000;

/** The sockets of an audience that see who types. */
interface TypingFeed {
  onEmptied(listener: (chatId: string) => void): void;
  hasChat(chatId: string): boolean;
  sendTyping(event: TypingEvent): void;
}

interface Typist {
  chatId: string;
  sender: Sender;
  /** The sockets that reported it; none over REST. */
  sockets: Set<string>;
  timer: NodeJS.Timeout;
}

/**
 * Keeps who is typing, in memory only. Typing ends after a time, with the sender's message, and with the last socket that
 * reported it. Nothing is kept for a chat without listeners.
 */
abstract class Typists implements OnModuleDestroy {
  private readonly typists = new Map<string, Map<string, Typist>>();
  private readonly bySocket = new Map<string, Set<Typist>>();
  private count = 0;

  constructor(
    private readonly feed: TypingFeed,
    private readonly timings: Timings,
  ) {
    feed.onEmptied((chatId) => this.forget(chatId));
  }

  /** @param socketId the socket that reports it; none over REST */
  say(chatId: string, sender: Sender, isTyping: boolean, socketId?: string): void {
    if (!this.feed.hasChat(chatId)) return;
    if (isTyping && !this.keep(chatId, sender, socketId)) return;
    if (!isTyping) this.drop(this.find(chatId, sender.id));
    this.feed.sendTyping({ chatId, sender, isTyping });
  }

  /** Ends the typing of this sender, if any. */
  stop(chatId: string, senderId: string | null): void {
    this.end(this.find(chatId, senderId));
  }

  /** To be called when a socket has disconnected. */
  leave(socketId: string): void {
    for (const typist of this.bySocket.get(socketId) ?? []) {
      typist.sockets.delete(socketId);
      if (typist.sockets.size === 0) this.end(typist);
    }
    this.bySocket.delete(socketId);
  }

  onModuleDestroy(): void {
    for (const chatId of this.typists.keys()) this.forget(chatId);
  }

  private find(chatId: string, senderId: string | null): Typist | undefined {
    return this.typists.get(chatId)?.get(senderId ?? '');
  }

  /** Returns false when too many people type. */
  private keep(chatId: string, sender: Sender, socketId?: string): boolean {
    const before = this.find(chatId, sender.id);
    if (!before && this.count >= MAX_TYPISTS) return false;
    clearTimeout(before?.timer);
    const typist = before ?? this.add(chatId, sender);
    typist.timer = setTimeout(() => this.end(typist), this.timings.typing).unref();
    if (socketId !== undefined) {
      typist.sockets.add(socketId);
      this.bySocket.set(socketId, (this.bySocket.get(socketId) ?? new Set()).add(typist));
    }
    return true;
  }

  private add(chatId: string, sender: Sender): Typist {
    const typist = { chatId, sender, sockets: new Set<string>() } as Typist;
    const ofChat = this.typists.get(chatId) ?? new Map<string, Typist>();
    this.typists.set(chatId, ofChat.set(sender.id ?? '', typist));
    this.count++;
    return typist;
  }

  private end(typist: Typist | undefined): void {
    if (!typist) return;
    this.drop(typist);
    this.feed.sendTyping({ chatId: typist.chatId, sender: typist.sender, isTyping: false });
  }

  private forget(chatId: string): void {
    for (const typist of this.typists.get(chatId)?.values() ?? []) this.drop(typist);
  }

  private drop(typist: Typist | undefined): void {
    if (!typist) return;
    clearTimeout(typist.timer);
    const ofChat = this.typists.get(typist.chatId);
    if (!ofChat?.delete(typist.sender.id ?? '')) return;
    this.count--;
    if (ofChat.size === 0) this.typists.delete(typist.chatId);
    for (const socketId of typist.sockets) {
      const ofSocket = this.bySocket.get(socketId);
      ofSocket?.delete(typist);
      if (ofSocket?.size === 0) this.bySocket.delete(socketId);
    }
  }
}

/** Who types, as visitors see it. */
@Injectable()
export class Typing extends Typists {
  constructor(feed: VisitorFeed, timings: Timings) {
    super(feed, timings);
  }
}

/** Who types, as agents see it. */
@Injectable()
export class AgentTyping extends Typists {
  constructor(feed: AgentFeed, timings: Timings) {
    super(feed, timings);
  }
}
