import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { type LiveFacts, LiveUpdates } from '../feeds/live-updates.js';
import type { Source } from '../feeds/live-metrics.js';
import { Pace, paceOf } from './pace.js';
import { TextBudget } from './text-budget.js';
import { Timings } from '../feeds/timings.js';
import type { TypingSignal } from '../feeds/typing-event.js';

/** The most texts that are kept at once; of further ones only is told that their senders type. */
const MAX_TEXTS = 10_000;
/** The name under which chats with a text are subscribed to. */
const SUBSCRIBER = 'texts';

type TypingFact = 'chat.typing' | 'visitor.typing';

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** A socket listens to a chat from now on: nodes that took a text of the chat tell it again. */
    'texts.asked': { chatId: string };
  }
}

interface KeptText {
  organizationId: string;
  chatId: string;
  senderId: string;
  text: string;
  afterSeq: number;
  at: number;
  /** Of a visitor's text: the agent who has the chat. */
  agentId?: string;
  endsAt: number;
  expiry?: NodeJS.Timeout;
  pace: Pace;
  /** @param left milliseconds for which it counts */
  tell: (left: number) => void;
}

/**
 * The texts that senders are writing and that this node took (CONTRACT section 12): the newest of each sender of a chat, in
 * memory only, for 10 s. They are told to all nodes at a bounded pace, and again when a socket begins to listen. While a text is kept,
 * this node is subscribed to its chat's channel: it hears what ends the text. Nothing of a text is ever logged.
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
    updates.on('chat.typing', (fact, source) => this.onTold(fact, fact.actor.id, source));
    updates.on('visitor.typing', (fact, source) => this.onTold(fact, fact.sender.id, source));
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
    nodes.on('texts.asked', ({ chatId }) => this.tellAgain(chatId));
  }

  onModuleDestroy(): void {
    this.removeWhere(this.all());
  }

  /** Takes what a sender reports, and tells it to all listeners: a text at a bounded pace, the newest always; the rest at once. */
  take<F extends TypingFact>(
    fact: F,
    owner: { organizationId: string; senderId: string | null },
    data: LiveFacts[F],
  ): void {
    const { chatId, isTyping, text } = data;
    const isText = isTyping && text !== undefined;
    const senderId = owner.senderId ?? '';
    const known = this.find(chatId, senderId);
    // An agent who has lost the chat shows the visitor nothing any more.
    const isSignOfLife = isTyping && text === undefined && !('isForAgentsOnly' in data && data.isForAgentsOnly);
    const told = { ...data, at: following(data.at, known, isText) };
    const kept = isText ? this.keep({ ...owner, senderId }, told, known) : undefined;
    if (kept) {
      kept.tell = (left) => void this.updates.bring(chatId, fact, { ...told, left });
      kept.pace.request(paceOf(kept.text, this.timings));
      return;
    }
    if (known && isSignOfLife) this.renew(known);
    else if (known) this.remove(known);
    void this.updates.bring(chatId, fact, { ...told, text: undefined });
  }

  /** To be called when a socket listens to a chat: texts of it that are live, on any node, are told again. */
  ask(chatId: string): void {
    this.tellAgain(chatId);
    this.nodes.publish(chatId, 'texts.asked', { chatId });
  }

  private keep(
    { organizationId, senderId }: { organizationId: string; senderId: string },
    { chatId, text = '', afterSeq = 0, at = 0, agentId }: Partial<TypingSignal> & { chatId: string },
    known: KeptText | undefined,
  ): KeptText | undefined {
    if (!known && this.count >= MAX_TEXTS) return undefined;
    if (!this.budget.replace(known?.text, text)) return undefined;
    const kept = known ?? this.add(organizationId, chatId, senderId);
    Object.assign(kept, { text, afterSeq, at, agentId });
    this.renew(kept);
    return kept;
  }

  private add(organizationId: string, chatId: string, senderId: string): KeptText {
    const pace = new Pace(() => this.tell(kept));
    const tell = () => undefined;
    const kept: KeptText = { organizationId, chatId, senderId, text: '', afterSeq: 0, at: 0, endsAt: 0, pace, tell };
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

  // A process that was stopped for a while must not tell what is over.
  private tell(kept: KeptText): void {
    const left = Math.ceil(kept.endsAt - performance.now());
    if (left > 0) kept.tell(left);
    else this.remove(kept);
  }

  private tellAgain(chatId: string): void {
    for (const kept of this.of(chatId)) if (kept.text !== '') kept.pace.request(paceOf(kept.text, this.timings));
  }

  // Another node took something newer of the same sender, so that node keeps it from now on.
  private onTold({ chatId, isTyping, text, at = Infinity }: TypedFact, senderId: string | null, source: Source): void {
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

  private removeWhere(texts: readonly KeptText[], isMeant: (kept: KeptText) => boolean = () => true): void {
    for (const kept of texts) if (isMeant(kept)) this.remove(kept);
  }

  private remove(kept: KeptText): void {
    const { chatId, senderId } = kept;
    clearTimeout(kept.expiry);
    kept.pace.stop();
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

// Two texts of a millisecond keep their order. What is no text may be as old as the newest one.
function following(at: number | undefined, known: KeptText | undefined, isText: boolean): number | undefined {
  if (at === undefined || !known) return at;
  return Math.max(at, isText ? known.at + 1 : known.at);
}
