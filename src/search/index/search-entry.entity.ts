import { Column, Entity, Index } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** What a row of the index is: a message by its sender, a note, or a chat with its visitor. */
export type EntryKind = 'VISITOR' | 'BOT' | 'AGENT' | 'NOTE' | 'CHAT';

/** The words of a message, a note, or a chat with its visitor and tags. The id is the one of the message, the note, or the chat. */
@Entity('search_entries')
@Index('ix_search_entries_time', ['organizationId', 'createdAt', 'id'])
@Index('ix_search_entries_chat', ['organizationId', 'chatId', 'createdAt', 'id'])
// A GIN index, which a decorator can't express.
@Index('ix_search_entries_words', { synchronize: false })
export class SearchEntry {
  @KeyColumn('pk_search_entries', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_search_entries')
  id!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn()
  kind!: EntryKind;

  /** Null for a note or a chat. */
  @Column({ type: 'integer', nullable: true })
  seq!: number | null;

  /** When the message or the note was written, or the chat was created. */
  @TimeColumn('created_at')
  createdAt!: Date;

  /** What matches (`tokens/lexemes.ts`). */
  @Column({ type: 'tsvector', select: false })
  words!: string;
}
