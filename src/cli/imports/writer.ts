import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type IdPrefix, idOf } from '../../platform/lib/ids.js';
import { foldText } from '../../platform/locale/fold.js';
import { type Author, type Conversation, partsOf, type Person, type Said } from './conversation.js';
import { shortened } from './text.js';
import {
  insertMessages,
  insertNotes,
  type NewChat,
  type NewMessage,
  type NewNote,
  takeChat,
  takeVisitor,
} from './writer.queries.js';

/** The most characters of names, addresses, and external ids. */
const [MAX_NAME, MAX_EMAIL, MAX_EXTERNAL_ID] = [200, 254, 128];
const PREFIXES = { VISITOR: 'vis', AGENT: 'agt', BOT: 'bot' } as const;

/** What an import added. */
export interface Imported {
  chats: number;
  messages: number;
  notes: number;
  /** Conversations without a message, or of someone who is erased here. */
  skipped: number;
}

interface Place {
  organizationId: string;
  groupId: string;
  /** Agents' ids by the key of their address. */
  agents: ReadonlyMap<string, string>;
}

/**
 * Stores conversations of another system as ended chats. Ids are computed from the other system's, so that a conversation that's imported
 * again gets only what's new.
 */
export class ImportWriter {
  readonly counts: Imported = { chats: 0, messages: 0, notes: 0, skipped: 0 };
  private readonly agentIds: readonly string[];

  constructor(
    private readonly client: pg.Client,
    private readonly source: string,
    private readonly place: Place,
  ) {
    this.agentIds = [...place.agents.values()];
  }

  async write(conversation: Conversation): Promise<void> {
    const { id, key = id, createdAt, person, labels, said } = conversation;
    const { organizationId, groupId } = this.place;
    const visitorId = said.some(({ isNote }) => !isNote) && (await this.takePerson(person, createdAt));
    if (!visitorId) return void this.counts.skipped++;
    const imported = { from: this.source, id, ...(labels.length > 0 && { labels }) };
    const chat = {
      organizationId,
      id: this.idOf('cht', createdAt, key),
      visitorId,
      groupId,
      createdAt,
      metadata: { imported },
    };
    const taken = await takeChat(this.client, chat);
    if (!taken) return void this.counts.skipped++;
    if (taken.isNew) this.counts.chats++;
    await this.writeSaid(chat, said, taken);
  }

  private async writeSaid(
    chat: NewChat,
    said: readonly Said[],
    { isNew, stored, lastSeq }: { isNew: boolean; stored: ReadonlySet<string>; lastSeq: number },
  ): Promise<void> {
    const [messages, notes]: [NewMessage[], NewNote[]] = [[], []];
    // Pages of messages may overlap.
    const taken = new Set(stored);
    let seq = lastSeq;
    for (const one of said) {
      for (const [at, content] of partsOf(one.text).entries()) {
        const sender = this.senderOf(one.author, chat);
        const id = this.idOf(one.isNote ? 'not' : 'msg', one.at, `${one.id} ${at}`);
        if (one.isNote)
          notes.push({
            id,
            content,
            authorId: sender.senderId,
            authorName: sender.senderName ?? '–',
            afterSeq: seq,
            at: one.at,
          });
        else if (!taken.has(id)) messages.push({ id, content, ...sender, at: one.at, seq: ++seq });
        taken.add(id);
      }
    }
    if (messages.length > 0) await insertMessages(this.client, chat, messages, this.agentIds, isNew);
    if (notes.length > 0) this.counts.notes += await insertNotes(this.client, chat, notes, messages.length > 0);
    this.counts.messages += messages.length;
  }

  private senderOf({ type, id, name, email }: Author, { visitorId }: NewChat) {
    const senderName = shortened(name, MAX_NAME);
    if (type === 'VISITOR') return { type, senderId: visitorId, senderName };
    const known = type === 'AGENT' && email ? this.place.agents.get(foldText(email)) : undefined;
    // Without an account here, it's the id of an agent who was removed.
    return { type, senderId: known ?? this.idOf(PREFIXES[type], new Date(0), id), senderName };
  }

  private async takePerson(
    { id, externalId, name, email, phone }: Person,
    createdAt: Date,
  ): Promise<string | undefined> {
    const address = shortened(email, MAX_EMAIL);
    return takeVisitor(this.client, {
      organizationId: this.place.organizationId,
      // Its conversations may come in another order the next time.
      id: this.idOf('vis', new Date(0), id),
      name: shortened(name, MAX_NAME),
      email: address?.includes('@') ? address : undefined,
      externalId: externalId && externalId.length <= MAX_EXTERNAL_ID ? externalId : undefined,
      metadata: { imported: { from: this.source, id }, ...(phone && { phone: shortened(phone, MAX_NAME) }) },
      createdAt,
    });
  }

  private idOf(prefix: IdPrefix, at: Date, id: string): string {
    const text = [this.place.organizationId, this.source, prefix, id].join(' ');
    // Chatwoot's database has milliseconds, its API seconds.
    const second = new Date(Math.floor(at.getTime() / 1_000) * 1_000);
    return idOf(prefix, second, createHash('sha256').update(text).digest());
  }
}
