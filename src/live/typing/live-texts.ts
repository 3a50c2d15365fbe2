import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { type LiveFacts, LiveUpdates } from '../feeds/live-updates.js';
import type { Source } from '../feeds/live-metrics.js';
import { textIntervalOf, Throttle } from './throttle.js';
import { TextBudget } from './text-budget.js';
import { Timings } from '../feeds/timings.js';
import type { TypingSignal } from '../feeds/typing-event.js';

/** Maximum live texts held in memory. Beyond it, only the typing indicator is sent. */
const MAX_TEXTS = 10_000;
/** The subscriber name for the channels of chats with a text. */
const SUBSCRIBER = 'texts';

type TypingFact = 'chat.typing' | 'visitor.typing';

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** A socket starts to listen to a chat: nodes that keep texts of the chat republish them. */
    'texts.asked': { chatId: string };
  }
}

interface KeptText {
  organizationId: string;
  chatId: string;
  senderId: string;
  text: string;
  /** What the bot is doing: at most 200 characters, which the budget doesn't count. */
  status?: string;
  /** Whether it's a bot's that can stop. */
  canStop?: boolean;
  afterSeq: number;
  at: number;
  /** For a visitor's text: the agent who has the chat. */
  agentId?: string;
  endsAt: number;
  expiry?: NodeJS.Timeout;
  throttle: Throttle;
  /** @param left milliseconds until the text expires */
  publish: (left: number) => void;
}

/**
 * The texts that senders are writing and that this node accepted (CONTRACT: Live text): the newest of each sender in a chat,
 * in memory only, for 10 s. They are published to all nodes at a limited rate, and again when a socket starts to listen. While
 * this node keeps a text, it is subscribed to the chat's channel, so that it receives what ends the text. Texts are never
 * logged.
 */
@Injectable()
export class LiveTexts implements OnModuleDestroy {
  private readonly chats = new Map<string, Map<string, KeptText>>();
  private readonly budget = new TextBudget();
  private count = 0;

  constructor(
    private readonly updates: LiveUpdates,
    private readonly nodes: OtherNodes,
    private readonly timings: Timings,
  ) {
    updates.on('message.created', ({ message }) => {
      const kept = this.find(message.chatId, message.sender.id);
      if (kept && kept.afterSeq < message.seq) this.remove(kept);
    });
    updates.on('chat.typing', (fact, source) => this.onPublished(fact, fact.actor.id, source));
    updates.on('visitor.typing', (fact, source) => this.onPublished(fact, fact.sender.id, source));
    updates.on('chat.changed', ({ chatId, place, hasEnded }) => {
      const isOver = ({ agentId }: KeptText) =>
        hasEnded === true || (place !== undefined && agentId !== undefined && agentId !== place.agentId);
      this.removeWhere(this.of(chatId), isOver);
    });
    updates.on('chats.removed', ({ chatIds }) => chatIds.forEach((chatId) => this.removeWhere(this.of(chatId))));
    updates.on('sender.gone', ({ organizationId, senderId }) =>
      this.removeWhere(this.all(), (kept) => kept.organizationId === organizationId && kept.senderId === senderId),
    );
    updates.on('organization.deleted', ({ organizationId }) =>
      this.removeWhere(this.all(), (kept) => kept.organizationId === organizationId),
    );
    nodes.on('texts.asked', ({ chatId }) => this.republish(chatId));
  }

  onModuleDestroy(): void {
    this.removeWhere(this.all());
  }

  /**
   * Accepts a typing report, and publishes it to all listeners: texts at a limited rate, always ending with the newest;
   * everything else immediately.
   */
  accept<F extends TypingFact>(
    fact: F,
    owner: { organizationId: string; senderId: string | null },
    data: LiveFacts[F],
  ): void {
    const { chatId, isTyping, text } = data;
    const isText = isTyping && text !== undefined;
    const senderId = owner.senderId ?? '';
    const known = this.find(chatId, senderId);
    // The typing of an agent who has lost the chat is hidden from the visitor, so it can't keep a text alive.
    const isSignOfLife = isTyping && text === undefined && !('isForAgentsOnly' in data && data.isForAgentsOnly);
    const ordered = { ...data, at: following(data.at, known, isText) };
    const kept = isText ? this.keep({ ...owner, senderId }, ordered, known) : undefined;
    if (kept) {
      kept.publish = (left) => void this.updates.deliver(chatId, fact, { ...ordered, left });
      kept.throttle.request(textIntervalOf(kept.text, this.timings));
      return;
    }
    if (known && isSignOfLife) this.renew(known);
    else if (known) this.remove(known);
    void this.updates.deliver(chatId, fact, { ...ordered, text: undefined, status: undefined });
  }

  /** Asks every node, this one included, to republish a chat's live texts. Call this when a socket starts to listen to it. */
  requestAll(chatId: string): void {
    this.republish(chatId);
    this.nodes.publish(chatId, 'texts.asked', { chatId });
  }

  /** Whether this node keeps a text of a bot that can stop. */
  canStop(chatId: string): boolean {
    return this.of(chatId).some(({ canStop }) => canStop === true);
  }

  private keep(
    { organizationId, senderId }: { organizationId: string; senderId: string },
    { chatId, text = '', status, canStop, afterSeq = 0, at = 0, agentId }: Partial<TypingSignal> & { chatId: string },
    known: KeptText | undefined,
  ): KeptText | undefined {
    if (!known && this.count >= MAX_TEXTS) return undefined;
    if (!this.budget.replace(known?.text, text)) return undefined;
    const kept = known ?? this.add(organizationId, chatId, senderId);
    Object.assign(kept, { text, status, canStop, afterSeq, at, agentId });
    this.renew(kept);
    return kept;
  }

  private add(organizationId: string, chatId: string, senderId: string): KeptText {
    const throttle = new Throttle(() => this.publish(kept));
    const key = { organizationId, chatId, senderId };
    const kept: KeptText = { ...key, text: '', afterSeq: 0, at: 0, endsAt: 0, throttle, publish: () => undefined };
    const ofChat = this.chats.get(chatId);
    if (ofChat) ofChat.set(senderId, kept);
    else {
      this.chats.set(chatId, new Map([[senderId, kept]]));
      void this.nodes.subscribe(chatId, SUBSCRIBER);
    }
    this.count++;
    return kept;
  }

  private renew(kept: KeptText): void {
    clearTimeout(kept.expiry);
    kept.endsAt = performance.now() + this.timings.typing;
    kept.expiry = setTimeout(() => this.remove(kept), this.timings.typing).unref();
  }

  // After a process was paused, a text may have expired before its timer runs.
  private publish(kept: KeptText): void {
    const left = Math.ceil(kept.endsAt - performance.now());
    if (left > 0) kept.publish(left);
    else this.remove(kept);
  }

  private republish(chatId: string): void {
    for (const kept of this.of(chatId)) {
      if (kept.text !== '' || kept.status !== undefined) kept.throttle.request(textIntervalOf(kept.text, this.timings));
    }
  }

  // Another node accepted a newer report of the same sender, so that node keeps the text from now on.
  private onPublished({ chatId, isTyping, text, at = Infinity }: TypedFact, senderId: string | null, source: Source) {
    const kept = source === 'here' ? undefined : this.find(chatId, senderId);
    if (!kept) return;
    if (isTyping && text === undefined) this.renew(kept);
    else if (at > kept.at) this.remove(kept);
  }

  private find(chatId: string, senderId: string | null): KeptText | undefined {
    return this.chats.get(chatId)?.get(senderId ?? '');
  }

  private of(chatId: string): KeptText[] {
    return [...(this.chats.get(chatId)?.values() ?? [])];
  }

  private all(): KeptText[] {
    return [...this.chats.keys()].flatMap((chatId) => this.of(chatId));
  }

  private removeWhere(texts: readonly KeptText[], matches: (kept: KeptText) => boolean = () => true): void {
    for (const kept of texts) if (matches(kept)) this.remove(kept);
  }

  private remove(kept: KeptText): void {
    const { chatId, senderId } = kept;
    clearTimeout(kept.expiry);
    kept.throttle.stop();
    const ofChat = this.chats.get(chatId);
    if (ofChat?.get(senderId) !== kept) return;
    ofChat.delete(senderId);
    this.count--;
    this.budget.replace(kept.text);
    if (ofChat.size > 0) return;
    this.chats.delete(chatId);
    this.nodes.unsubscribe(chatId, SUBSCRIBER);
  }
}

type TypedFact = Pick<TypingSignal, 'chatId' | 'isTyping' | 'text' | 'at'>;

// Keeps the order of two texts within one millisecond. Signals without a text may be as old as the newest text.
function following(at: number | undefined, known: KeptText | undefined, isText: boolean): number | undefined {
  if (at === undefined || !known) return at;
  return Math.max(at, isText ? known.at + 1 : known.at);
}
