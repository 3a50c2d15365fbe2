import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Change } from '../../changes/changes.service.js';
import { transaction } from '../../platform/database/transaction.js';
import { Lexemes } from '../tokens/lexemes.js';
import {
  type IndexedChat,
  type IndexedMessage,
  type IndexedNote,
  listChatsOf,
  lockChat,
  readMessages,
  readNotes,
  type NewEntry,
  removeEntries,
  storeEntries,
} from './entries.queries.js';

/** The most messages or notes of a transaction. */
const BATCH = 200;

/** Where the next transaction begins. Null means that the messages, or the notes, are done. */
interface Next {
  afterSeq: number | null;
  afterNote: string | null;
}

/** Writes the index rows of a chat or a visitor. It can be repeated: the rows always match the tables. */
@Injectable()
export class Indexer {
  constructor(private readonly manager: EntityManager) {}

  async apply(organizationId: string, change: Change): Promise<void> {
    if ('visitorId' in change) return this.applyVisitor(organizationId, change.visitorId);
    let next: Next | null = { afterSeq: change.afterSeq, afterNote: '' };
    for (let isFirst = true; next !== null; isFirst = false)
      next = await this.applySome(organizationId, change.chatId, next, isFirst);
  }

  private applySome(organizationId: string, chatId: string, { afterSeq, afterNote }: Next, isFirst: boolean) {
    return transaction(this.manager, async (tx): Promise<Next | null> => {
      const chat = await lockChat(tx, organizationId, chatId);
      if (!chat) return null;
      if (chat.isErased) {
        await removeEntries(tx, organizationId, chatId, 'all');
        return null;
      }
      if (isFirst) await this.storeChat(tx, organizationId, chatId, chat);
      const lastSeq = afterSeq === null ? null : await this.storeMessages(tx, organizationId, chatId, afterSeq);
      const lastNote = afterNote === null ? null : await this.storeNotes(tx, organizationId, chatId, afterNote);
      return lastSeq === null && lastNote === null ? null : { afterSeq: lastSeq, afterNote: lastNote };
    });
  }

  private async storeMessages(tx: EntityManager, organizationId: string, chatId: string, afterSeq: number) {
    const messages = await readMessages(tx, organizationId, chatId, afterSeq, BATCH);
    const entries = messages.filter(isFound).map((message) => entryOfMessage(organizationId, message));
    const last = messages.length === BATCH ? messages.at(-1)!.seq : null;
    const besides = entries.map(({ id }) => id);
    await removeEntries(tx, organizationId, chatId, { afterSeq, lastSeq: last, besides });
    await storeEntries(tx, organizationId, chatId, entries);
    return last;
  }

  private async storeNotes(tx: EntityManager, organizationId: string, chatId: string, after: string) {
    const notes = await readNotes(tx, organizationId, chatId, after, BATCH);
    const last = notes.length === BATCH ? notes.at(-1)!.id : null;
    await removeEntries(tx, organizationId, chatId, { after, last, besides: notes.map(({ id }) => id) });
    const entries = notes.map((note) => entryOfNote(organizationId, note));
    await storeEntries(tx, organizationId, chatId, entries);
    return last;
  }

  private async applyVisitor(organizationId: string, visitorId: string): Promise<void> {
    let after = '';
    for (;;) {
      const ids = await listChatsOf(this.manager, organizationId, visitorId, after, BATCH);
      for (const chatId of ids)
        await transaction(this.manager, async (tx) => {
          const chat = await lockChat(tx, organizationId, chatId);
          if (chat && !chat.isErased) await this.storeChat(tx, organizationId, chatId, chat);
        });
      if (ids.length < BATCH) return;
      after = ids.at(-1)!;
    }
  }

  private async storeChat(tx: EntityManager, organizationId: string, chatId: string, chat: IndexedChat) {
    if (chat.isErasing) return removeEntries(tx, organizationId, chatId, 'visitor');
    return storeEntries(tx, organizationId, chatId, [entryOfChat(organizationId, chatId, chat)]);
  }
}

const isFound = ({ senderType, isDeleted }: IndexedMessage) => senderType !== 'SYSTEM' && !isDeleted;

function entryOfMessage(
  organizationId: string,
  { id, seq, senderType, createdAt, ...message }: IndexedMessage,
): NewEntry {
  const words = wordsOf(organizationId, { createdAt, ...message });
  return { id, kind: senderType as NewEntry['kind'], seq, createdAt, words };
}

function entryOfNote(organizationId: string, note: IndexedNote): NewEntry {
  return { id: note.id, kind: 'NOTE', seq: null, createdAt: note.createdAt, words: wordsOf(organizationId, note) };
}

function wordsOf(organizationId: string, { content, files, createdAt }: Omit<IndexedNote, 'id'>): string {
  const lexemes = new Lexemes().addPlace(organizationId, createdAt).addText(content);
  for (const { name } of files ?? []) lexemes.addText(name);
  return lexemes.toString();
}

function entryOfChat(organizationId: string, chatId: string, chat: IndexedChat): NewEntry {
  const { createdAt, visitorId, name, email, externalId, tags } = chat;
  const lexemes = new Lexemes().addPlace(organizationId, createdAt).addWhole(chatId).addWhole(visitorId);
  if (name !== null) lexemes.addName(name);
  if (email !== null) lexemes.addText(email).addWhole(email);
  if (externalId !== null) lexemes.addText(externalId, { hidesCards: false }).addWhole(externalId);
  for (const tag of tags ?? []) lexemes.addText(tag);
  return { id: chatId, kind: 'CHAT', seq: null, createdAt, words: lexemes.toString() };
}
