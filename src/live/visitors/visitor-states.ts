import { Injectable } from '@nestjs/common';
import type { ChatState } from '../../chats/reading/chat-state.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import { VisitorFeed } from '../feeds/visitor-feed.js';
import { ConnectedChats } from './connected-chats.js';

type SentListener = (organizationId: string, chat: ChatState) => void;

/** Sends visitors the states of their chats. A state is read after the change, and the last one sent is always the newest. */
@Injectable()
export class VisitorStates {
  /** The running send of each chat. */
  private readonly running = new Map<string, Promise<void>>();
  /** The send after the running one, by chat. Every change during the running one shares it. */
  private readonly next = new Map<string, Promise<void>>();
  private readonly listeners: SentListener[] = [];

  constructor(
    private readonly chats: ChatsService,
    private readonly feed: VisitorFeed,
    private readonly connected: ConnectedChats,
  ) {}

  /** Calls the listener with each state that is sent. */
  onSent(listener: SentListener): void {
    this.listeners.push(listener);
  }

  /** Reads a chat's state and sends it to the chat's listeners. @throws Problem not_found */
  send(organizationId: string, chatId: string): Promise<void> {
    const waiting = this.next.get(chatId);
    if (waiting) return waiting;
    const running = this.running.get(chatId);
    if (!running) return this.run(organizationId, chatId);
    const next = running.then(() => this.runNext(organizationId, chatId));
    this.next.set(chatId, next);
    return next;
  }

  private runNext(organizationId: string, chatId: string): Promise<void> {
    this.next.delete(chatId);
    return this.run(organizationId, chatId);
  }

  private run(organizationId: string, chatId: string): Promise<void> {
    const sent = this.readAndSend(organizationId, chatId);
    const ended = sent.catch(() => undefined).then(() => void this.running.delete(chatId));
    this.running.set(chatId, ended);
    return sent;
  }

  private async readAndSend(organizationId: string, chatId: string): Promise<void> {
    const chat = await this.chats.getState(organizationId, chatId);
    for (const listener of this.listeners) listener(organizationId, chat);
    this.feed.sendChat({ ...chat, isConnected: this.connected.get(chatId) });
  }
}
