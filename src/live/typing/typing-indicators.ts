import type { OnModuleDestroy } from '@nestjs/common';
import type { MessageView, Sender } from '../../messages/message.js';
import { LiveTexts } from './live-texts.js';
import { textIntervalOf, Throttle } from './throttle.js';
import { TextBudget } from './text-budget.js';
import { Timings } from '../feeds/timings.js';
import type { TypingEvent, TypingSignal } from '../feeds/typing-event.js';
import { TypingOrder } from './typing-order.js';

/** The most senders who can type at the same time; more are ignored. */
export const MAX_TYPISTS = 10_000;

/** The sockets of an audience that see who types. */
interface TypingFeed {
  onEmptied(listener: (chatId: string) => void): void;
  onMessageSent(listener: (message: MessageView) => void): void;
  hasChat(chatId: string): boolean;
  sendTyping(event: TypingEvent): void;
  dropText(chatId: string, senderId: string | null): void;
}

export type TextSignal = TypingSignal & { text: string };

interface Typist {
  chatId: string;
  sender: Sender;
  /** The sockets that reported it; empty over REST. */
  sockets: Set<string>;
  timer: NodeJS.Timeout;
  /** The highest `seq` of the chat at the newest signal. */
  afterSeq?: number;
  /** The newest text. */
  text?: TextSignal;
  throttle?: Throttle;
}

/**
 * Who types and what, for the sockets of one audience on this node, in memory only. Typing ends after a time without a signal,
 * with the sender's message, and when the last socket that reported it disconnects. A chat without listeners keeps nothing.
 */
export abstract class TypingIndicators implements OnModuleDestroy {
  private readonly typists = new Map<string, Map<string, Typist>>();
  private readonly bySocket = new Map<string, Set<Typist>>();
  private readonly order: TypingOrder;
  private readonly budget = new TextBudget();
  private count = 0;

  constructor(
    private readonly listeners: TypingFeed,
    private readonly timings: Timings,
    private readonly texts: LiveTexts,
  ) {
    this.order = new TypingOrder(timings);
    listeners.onEmptied((chatId) => this.forget(chatId));
    listeners.onMessageSent(({ chatId, sender, seq }) => this.endWithMessage(chatId, sender.id, seq));
  }

  /** Sends a text to the sockets that may read it. @param socketId sends it to this socket only */
  protected abstract sendText(event: TypingEvent, signal: TextSignal, socketId?: string): void;

  /** Applies a signal, and sends it to the listeners. @param socketId the socket that reports; undefined over REST */
  apply(signal: TypingSignal, socketId?: string): void {
    const { chatId, sender, isTyping, text } = signal;
    if (!this.listeners.hasChat(chatId) || !this.order.admit(signal)) return;
    const typist = isTyping ? this.keep(signal, socketId) : undefined;
    if (isTyping && !typist) return;
    if (!isTyping) this.drop(this.find(chatId, sender.id));
    if (typist && text !== undefined && this.keepText(typist, { ...signal, text })) return;
    this.listeners.sendTyping({ chatId, sender, isTyping });
  }

  /** Sends a socket that starts to listen to a chat the texts that are live in it, after the answer to its request. */
  sendLiveTexts(socketId: string, chatId: string): void {
    setImmediate(() => {
      for (const { text } of this.of(chatId)) {
        if (text?.text || text?.status !== undefined) this.sendText(toEvent(text), text, socketId);
      }
      this.texts.requestAll(chatId);
    });
  }

  /** Ends what a sender typed before this message of theirs. */
  endWithMessage(chatId: string, senderId: string | null, seq: number): void {
    if (senderId === null) return;
    this.order.onMessage(chatId, senderId, seq);
    const typist = this.find(chatId, senderId);
    if (!typist) return;
    if (typist.afterSeq === undefined || typist.afterSeq < seq) return this.end(typist);
    if (typist.text?.afterSeq !== undefined && typist.text.afterSeq < seq) this.clearText(typist);
    this.listeners.dropText(chatId, senderId);
  }

  /** Ends all typing in a chat that has ended. */
  endChat(chatId: string): void {
    for (const typist of this.of(chatId)) this.end(typist);
  }

  /** Ends all typing of a sender who was removed. */
  endSender(senderId: string): void {
    for (const chatId of this.typists.keys()) this.end(this.find(chatId, senderId));
  }

  /** Ends the typing that this socket, which has disconnected, was the last to report. */
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

  protected of(chatId: string): Typist[] {
    return [...(this.typists.get(chatId)?.values() ?? [])];
  }

  protected clearText(typist: Typist): void {
    typist.throttle?.stop();
    if (typist.text) this.budget.replace(typist.text.text);
    typist.text = undefined;
  }

  private find(chatId: string, senderId: string | null): Typist | undefined {
    return this.typists.get(chatId)?.get(senderId ?? '');
  }

  /** Returns undefined when too many senders type. */
  private keep({ chatId, sender, afterSeq, left }: TypingSignal, socketId?: string): Typist | undefined {
    const before = this.find(chatId, sender.id);
    if (!before && this.count >= MAX_TYPISTS) return undefined;
    clearTimeout(before?.timer);
    const typist = before ?? this.add(chatId, sender);
    const { typing } = this.timings;
    typist.timer = setTimeout(() => this.end(typist), Math.min(left ?? typing, typing)).unref();
    if (afterSeq !== undefined) typist.afterSeq = Math.max(afterSeq, typist.afterSeq ?? 0);
    if (socketId !== undefined) {
      typist.sockets.add(socketId);
      this.bySocket.set(socketId, (this.bySocket.get(socketId) ?? new Set()).add(typist));
    }
    return typist;
  }

  /** Keeps a text, and sends it at the allowed rate. Returns false when it exceeds the memory for texts. */
  private keepText(typist: Typist, signal: TextSignal): boolean {
    if (!this.budget.replace(typist.text?.text, signal.text)) return false;
    typist.text = signal;
    typist.throttle ??= new Throttle(() => typist.text && this.sendText(toEvent(typist.text), typist.text));
    typist.throttle.request(textIntervalOf(signal.text, this.timings));
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
    this.listeners.sendTyping({ chatId: typist.chatId, sender: typist.sender, isTyping: false });
  }

  private forget(chatId: string): void {
    for (const typist of this.of(chatId)) this.drop(typist);
    this.order.forget(chatId);
  }

  private drop(typist: Typist | undefined): void {
    if (!typist) return;
    clearTimeout(typist.timer);
    const ofChat = this.typists.get(typist.chatId);
    if (!ofChat?.delete(typist.sender.id ?? '')) return;
    this.clearText(typist);
    this.count--;
    if (ofChat.size === 0) this.typists.delete(typist.chatId);
    for (const socketId of typist.sockets) {
      const ofSocket = this.bySocket.get(socketId);
      ofSocket?.delete(typist);
      if (ofSocket?.size === 0) this.bySocket.delete(socketId);
    }
  }
}

function toEvent({ chatId, sender, text, status, canStop, afterSeq, at }: TextSignal): TypingEvent {
  const more = { ...(status !== undefined && { status }), ...(canStop && { canStop }) };
  return { chatId, sender, isTyping: true, text, ...more, afterSeq, at };
}
