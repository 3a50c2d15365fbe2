import { computed, signal } from '@preact/signals';
import type { VirtualItem } from '@tanstack/virtual-core';
import { hasCode, isTransient } from '../../../headless/errors.js';
import { Timeline } from '../../../headless/timeline.js';
import type { Message, MessageFile, Typist } from '../../../headless/types.js';
import { Typing, type TypingEvent } from '../../../headless/typing.js';
import { call, get, getAll, post } from '../../api/request.js';
import type { Batch, Detail, Named, Note, ReadMarks, Row } from '../../api/types.js';
import { mentionsIn } from '../../lib/mentions.js';
import { Readings } from '../../lib/readings.js';
import { throttled } from '../../lib/throttled.js';
import { ask, isConnected } from '../connection.js';
import { recognizeOwn } from './outbox.js';
import { rowOf, takeRow } from '../inbox/rows.js';
import { mayType } from '../inbox/watchers.js';
import { colleagues, readPeople } from '../people.js';
import { session } from '../session.js';

/** The number of messages of the first page, and of each page of earlier ones. */
const PAGE = 60;
/** A chat that missed more messages is read again from its last page. */
const FAR_BEHIND = 400;
/** The delay before a failed request for a gap is retried. */
const RETRY_MS = 2_000;
/** The minimum time between two reads of a changed chat's details and notes. */
const REFRESH_EVERY_MS = 1_000;

type Followed = Batch & { chat: Detail; deleted?: Message[] };

/** An open chat: its messages without a gap, its notes, its viewers and typists. */
export class OpenChat {
  readonly messages = signal<readonly Message[]>([]);
  readonly hasEarlier = signal(false);
  readonly detail = signal<Detail | null>(null);
  readonly notes = signal<readonly Note[]>([]);
  readonly viewers = signal<readonly Named[]>([]);
  /** The visitor, bots, and colleagues who are typing, with their live text if it's shared. */
  readonly typists = computed(() => this.#typing.value.filter((typist) => mayType(typist, rowOf(this.id))));
  /** `gone`: the agent may not see it, or it doesn't exist. */
  readonly state = signal<'loading' | 'ready' | 'gone' | 'failed'>('loading');
  readonly typing = new Typing(
    (isTyping, text) => void ask('typing', { chatId: this.id, isTyping, text }).catch(() => undefined),
    ({ type, id }) => type === 'AGENT' && id === session.value?.agent.id,
  );
  /** Measured heights of lines. */
  measured: VirtualItem[] = [];
  readonly #typing = signal<readonly Typist[]>([]);
  readonly #refresh = throttled(() => this.#readAgain(), REFRESH_EVERY_MS);
  readonly #timeline = new Timeline();
  readonly #readingsOfNotes = new Readings();
  #isBegun = false;
  #isLeft = false;
  #isFilling = false;
  #isReadingEarlier = false;
  #latestSeq = 0;
  #readSeq = 0;

  constructor(readonly id: string) {
    this.#timeline.messages.subscribe((messages) => (this.messages.value = messages));
    this.#timeline.hasEarlier.subscribe((hasEarlier) => (this.hasEarlier.value = hasEarlier));
    this.typing.senders.subscribe((senders) => (this.#typing.value = senders));
  }

  /** The `seq` of the last message that is shown. */
  get last(): number {
    return this.#timeline.last;
  }

  /**
   * Follows the chat and reads what is missing. Call this when it's opened, and after each connect.
   * @throws RequestError when it may succeed later
   */
  async catchUp(): Promise<void> {
    this.#isLeft = false;
    try {
      if (!this.#isBegun) await this.#begin();
      if (this.#isLeft) return;
      const afterSeq = this.#timeline.last;
      const followed = await ask<Followed>('chat:follow', { chatId: this.id, afterSeq });
      if (this.#isLeft) this.#unfollow();
      if (followed.latestSeq - this.#timeline.last > FAR_BEHIND || followed.latestSeq < afterSeq) {
        this.#timeline.reset(Math.max(0, followed.latestSeq - PAGE));
      }
      this.#latestSeq = followed.latestSeq;
      this.typing.expireSoon();
      this.#adopt(followed.chat);
      this.viewers.value = followed.chat.viewers;
      this.#apply([...(followed.deleted ?? []), ...followed.messages]);
      if (this.#isBehind) await this.#sync();
      this.state.value = 'ready';
      await this.#readNotes();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Stops following: colleagues no longer see this agent as a viewer. */
  leave(): void {
    this.#isLeft = true;
    this.typing.reset();
    this.#unfollow();
  }

  /** Handles an event of this chat. */
  receive(event: string, payload: Record<string, unknown>): void {
    if (event === 'message' || event === 'message:deleted') this.add(payload as unknown as Message);
    else if (event === 'typing') this.typing.receive(payload as unknown as TypingEvent);
    else if (event === 'viewers') this.viewers.value = payload.agents as Named[];
    else if (event === 'seq') {
      this.#latestSeq = Math.max(this.#latestSeq, Number(payload.latestSeq));
      if (this.#isBehind) void this.#fillGap();
    }
  }

  /** Applies a newer row of this chat. Details that a row lacks are read again, unless only the agents' read mark changed. */
  takeRow(row: Row): void {
    const known = this.detail.value;
    if (!known) return;
    const isMark = row.rev === known.rev + 1 && row.read.agents > known.read.agents;
    const visitor = { ...known.visitor, ...row.visitor };
    this.detail.value = { ...known, ...row, visitor, read: furthest(known.read, row.read) };
    if (row.rev > known.rev && !isMark) this.#refresh();
  }

  /** Shows a message that is known to be stored. */
  add(message: Message): void {
    this.#apply([message]);
    if (this.#timeline.hasGap) void this.#fillGap();
  }

  /** Reads the page before the first message. */
  async loadEarlier(): Promise<void> {
    if (this.#isReadingEarlier || !this.hasEarlier.value) return;
    this.#isReadingEarlier = true;
    try {
      const before = this.#timeline.before + 1;
      const { messages } = await get<Batch>(`/chats/${this.id}/messages?beforeSeq=${before}&limit=${PAGE}`);
      this.#timeline.prepend(messages);
    } catch {
      // The next scroll tries again.
    } finally {
      this.#isReadingEarlier = false;
    }
  }

  /** Marks everything as read, for all agents. */
  read(): void {
    const seq = this.#timeline.last;
    if (seq <= this.#readSeq || !isConnected.value) return;
    const before = this.#readSeq;
    this.#readSeq = seq;
    ask('read', { chatId: this.id, seq }).catch(() => (this.#readSeq = before));
  }

  /** Writes a note. @throws RequestError */
  async addNote(content: string, files: readonly MessageFile[] = []): Promise<void> {
    const body = { content, mentions: await mentioned(content), files: files.map(({ id }) => id) };
    this.#showNote(await post<Note>(`/chats/${this.id}/notes`, body));
  }

  /** Changes one's own note. @param files undefined: they stay. @throws RequestError */
  async editNote(id: string, content: string, files?: readonly MessageFile[]): Promise<void> {
    const body = { content, mentions: await mentioned(content), files: files?.map((file) => file.id) };
    this.#showNote(await call<Note>('PATCH', `/chats/${this.id}/notes/${id}`, body));
  }

  /** Deletes one's own note. @throws RequestError */
  async deleteNote(id: string): Promise<void> {
    await call('DELETE', `/chats/${this.id}/notes/${id}`);
    this.#hideNote(id);
  }

  #unfollow(): void {
    if (isConnected.value) void ask('chat:unfollow', { chatId: this.id }).catch(() => undefined);
  }

  get #isBehind(): boolean {
    return this.#timeline.hasGap || this.#timeline.last < this.#latestSeq;
  }

  // The message count locates the last page.
  async #begin(): Promise<void> {
    const { messageCount } = rowOf(this.id) ?? (await get<Detail>(`/chats/${this.id}`));
    this.#timeline.reset(Math.max(0, messageCount - PAGE));
    this.#isBegun = true;
  }

  async #sync(): Promise<void> {
    for (let isMissing = true; isMissing;) {
      const batch = await ask<Batch>('sync', { chatId: this.id, afterSeq: this.#timeline.last });
      this.#apply(batch.messages);
      isMissing = batch.hasMore || (this.#isBehind && batch.messages.length > 0);
    }
  }

  async #fillGap(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const error: unknown = await this.#sync().catch((reason: unknown) => reason);
    this.#isFilling = false;
    if (error && isTransient(error)) setTimeout(() => isConnected.value && void this.#fillGap(), RETRY_MS);
  }

  async #readAgain(): Promise<void> {
    if (!session.value || this.state.value !== 'ready') return;
    const detail = await get<Detail>(`/chats/${this.id}`);
    this.#adopt(detail);
    // It changed again during the request.
    if (detail.rev < (rowOf(this.id)?.rev ?? 0)) this.#refresh();
    await this.#readNotes();
  }

  async #readNotes(): Promise<void> {
    await this.#readingsOfNotes.read(
      () => getAll<Note>(`/chats/${this.id}/notes`, 'notes'),
      (notes) => (this.notes.value = notes),
    );
  }

  #showNote(note: Note): void {
    this.#readingsOfNotes.note(() => this.#showNote(note));
    const isKnown = this.notes.value.some(({ id }) => id === note.id);
    this.notes.value = isKnown
      ? this.notes.value.map((known) => (known.id === note.id ? note : known))
      : [...this.notes.value, note];
  }

  #hideNote(id: string): void {
    this.#readingsOfNotes.note(() => this.#hideNote(id));
    this.notes.value = this.notes.value.filter((note) => note.id !== id);
  }

  #adopt(detail: Detail): void {
    this.detail.value = { ...detail, read: furthest(this.detail.value?.read ?? detail.read, detail.read) };
    this.#readSeq = Math.max(this.#readSeq, detail.read.agents);
    const {
      metadata: _metadata,
      handoff: _handoff,
      viewers: _viewers,
      earlierChats: _chats,
      messageRatings: _ratings,
      ...row
    } = detail;
    takeRow(row);
  }

  #apply(messages: readonly Message[]): void {
    for (const message of this.#timeline.take(messages)) {
      recognizeOwn(message);
      this.typing.onMessage(message);
    }
  }

  #onFailure(error: unknown): void {
    if (isTransient(error)) throw error;
    if (hasCode(error, 'not_found')) this.state.value = 'gone';
    else if (this.state.value === 'loading') this.state.value = 'failed';
  }
}

/** The colleagues whom a note mentions, new ones too. */
async function mentioned(content: string): Promise<string[]> {
  if (content.includes('@')) await readPeople().catch(() => undefined);
  return mentionsIn(content, colleagues.value);
}

/** Read marks never go back. */
function furthest(one: ReadMarks, other: ReadMarks): ReadMarks {
  return {
    visitor: Math.max(one.visitor, other.visitor),
    organization: Math.max(one.organization, other.organization),
    agents: Math.max(one.agents, other.agents),
  };
}
