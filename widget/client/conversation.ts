import { createListeners, createValue } from './observable.js';
import { createReading } from './reading.js';
import { isTransient, RequestError } from './request.js';
import type { Store } from './store.js';
import { createTimeline } from './timeline.js';
import { createTyping } from './typing.js';
import type { Chat, Message, Sender } from './types.js';

/** Messages that a page of history holds. */
const PAGE = 50;
/** A hole that could not be filled is looked at again after this time, in milliseconds. */
const SYNC_RETRY = 2_000;

interface Batch {
  messages: Message[];
  latestSeq: number;
  hasMore: boolean;
}
type Opened = Batch & { chat: Chat };

/** What to open: a chat by its id, else the one that is going on, else a new one. */
export interface Opening {
  chatId?: string;
  metadata?: Record<string, unknown>;
}

export type Ask = <T>(event: string, payload: Record<string, unknown>) => Promise<T>;

/** One chat as it is seen from here: opened, caught up with after every connect, and followed. */
export function createConversation(store: Store, ask: Ask, isUp: () => boolean, onOwn: (message: Message) => void) {
  const chat = createValue<Chat | null>(null);
  const timeline = createTimeline();
  const news = createListeners<Message>();
  const askHere: Ask = (event, payload) => ask(event, { chatId: chat.value?.id, ...payload });
  const tell = (event: string, payload: Record<string, unknown>) =>
    askHere(event, payload).then(
      () => true,
      () => false,
    );
  const reading = createReading((seq) => tell('read', { seq }));
  const typing = createTyping((isTyping) => void (chat.value && isUp() && tell('typing', { isTyping })));

  /** Grows when another chat is opened: answers about the one before are of no more use. */
  let epoch = 0;
  /** Whether all there was at the opening is there: what comes then is news. */
  let isOpened = false;
  let isSyncing = false;
  /** The highest `seq` that was heard of. */
  let latest = 0;
  /** What the service says while a chat is being opened. */
  let early: Parameters<typeof receive>[] | null = null;

  async function begin({ chatId, metadata }: Opening): Promise<void> {
    const own = epoch;
    early = [];
    const kept = store.read();
    const id = chatId ?? kept.chatId;
    const from = Math.max(0, (id === kept.chatId ? (kept.latestSeq ?? 0) : 0) - PAGE);
    let answer: Opened;
    try {
      answer = await ask<Opened>('chat:open', { chatId: id, afterSeq: from, metadata });
    } catch (error) {
      // One that is there no more, or was never this visitor's, must not keep them from another.
      if (chatId || !id || !isNotFound(error) || own !== epoch) throw error;
      store.write({ chatId: undefined, latestSeq: undefined });
      return begin({ metadata });
    }
    if (own !== epoch) return;
    const late = early;
    early = null;
    // A long chat is read from its end.
    const { latestSeq, hasMore } = answer;
    latest = latestSeq;
    timeline.reset(hasMore || from > latestSeq ? Math.max(0, latestSeq - PAGE) : from);
    reading.reset();
    store.write({ chatId: answer.chat.id });
    change(answer.chat);
    apply(answer.messages);
    for (const said of late) receive(...said);
    if (isBehind()) await sync(own);
  }

  async function resume(chatId: string): Promise<void> {
    const own = epoch;
    let answer: Opened;
    try {
      answer = await ask<Opened>('chat:open', { chatId, afterSeq: timeline.last });
    } catch (error) {
      if (!isNotFound(error) || own !== epoch) throw error;
      leave();
      return begin({});
    }
    if (own !== epoch) return;
    // The service was put back to an earlier time: what it has forgotten is not there.
    if (answer.latestSeq < timeline.last) {
      leave();
      return begin({ chatId });
    }
    change(answer.chat);
    apply(answer.messages);
    latest = Math.max(latest, answer.latestSeq);
    if (isBehind()) await sync(own);
  }

  const isBehind = () => timeline.hasHole || timeline.last < latest;

  // Until nothing is missing between what is there and the latest that the service knows.
  async function sync(own: number): Promise<void> {
    for (let isMissing = true; isMissing && own === epoch;) {
      const batch = await askHere<Batch>('sync', { afterSeq: timeline.last });
      if (own !== epoch) return;
      apply(batch.messages);
      isMissing = batch.hasMore || (isBehind() && batch.messages.length > 0);
    }
  }

  // The next connect asks for everything anyway.
  async function fillHole(own = epoch): Promise<void> {
    if (isSyncing || own !== epoch) return;
    isSyncing = true;
    const error: unknown = await sync(own).catch((reason: unknown) => reason);
    isSyncing = false;
    if (error && isTransient(error)) setTimeout(() => isUp() && void fillHole(own), SYNC_RETRY);
  }

  function apply(messages: readonly Message[]): void {
    const applied = timeline.take(messages);
    for (const message of applied) {
      if (message.sender.type === 'VISITOR') onOwn(message);
      else typing.clear(message.sender);
    }
    if (applied.length > 0) store.write({ latestSeq: timeline.last });
    reading.count(timeline.messages.value);
    if (isOpened) applied.forEach(news.tell);
  }

  function change(next: Chat): void {
    chat.set(next);
    reading.adopt(next);
    reading.count(timeline.messages.value);
  }

  function leave(): void {
    epoch++;
    isOpened = false;
    early = null;
    store.write({ chatId: undefined, latestSeq: undefined });
    typing.reset();
    reading.reset();
    timeline.reset(0);
    chat.set(null);
  }

  /** Applies a message that is known to be stored. */
  function add(message: Message): void {
    if (message.chatId !== chat.value?.id) return;
    apply([message]);
    if (timeline.hasHole) void fillHole();
  }

  /** What the service says on its own. */
  function receive(event: string, payload: { id?: string; chatId?: string } & Record<string, unknown>): void {
    if (early) early.push([event, payload]);
    else if (event === 'message') add(payload as unknown as Message);
    else if ((payload.chatId ?? payload.id) !== chat.value?.id) return;
    else if (event === 'chat') change(payload as unknown as Chat);
    else if (event === 'typing') typing.hear(payload as unknown as { sender: Sender; isTyping: boolean });
    else if (event === 'seq') {
      latest = Number(payload.latestSeq);
      if (isBehind()) void fillHole();
    }
  }

  return {
    chat,
    timeline,
    reading,
    typing,
    onMessage: news.listeners,
    leave,
    /** Reads what is missing, opening the chat when none is. @throws RequestError */
    async catchUp(opening: Opening): Promise<void> {
      await (chat.value ? resume(chat.value.id) : begin(opening));
      // It may have been left meanwhile.
      isOpened = chat.value !== null;
      void reading.flush();
    },
    add,
    receive,
    async loadEarlier(): Promise<boolean> {
      const own = epoch;
      if (!timeline.hasEarlier.value) return false;
      const page: Message[] = [];
      // What is long comes in several parts.
      for (let afterSeq = Math.max(0, timeline.before - PAGE), isMore = true; isMore && afterSeq < timeline.before;) {
        const { messages } = await askHere<Batch>('sync', { afterSeq, limit: timeline.before - afterSeq });
        page.push(...messages);
        afterSeq += messages.length;
        isMore = messages.length > 0;
      }
      if (own === epoch) timeline.prepend(page);
      return true;
    },
    read(seq = timeline.last): void {
      if (!chat.value || !reading.move(Math.min(seq, timeline.last))) return;
      reading.count(timeline.messages.value);
      if (isUp()) void reading.flush();
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'not_found';
}
