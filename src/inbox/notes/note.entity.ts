import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { StoredFile } from '../../files/file.js';
import { Chat } from '../../chats/model/chat.entity.js';

/** An agent's note about a chat, for other agents. It isn't a message, and bots and visitors never see it. */
@Entity('notes')
export class Note {
  @KeyColumn('pk_notes', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_notes', 'chat_id')
  chatId!: string;

  @KeyColumn('pk_notes')
  id!: string;

  @Column('text')
  content!: string;

  /** The author, with the name at that time. The agent may have been removed. */
  @CodeColumn('author_id')
  authorId!: string;

  @Column({ name: 'author_name', type: 'text' })
  authorName!: string;

  /** The chat's highest `seq` when the note was written. */
  @Column({ name: 'after_seq', type: 'integer' })
  afterSeq!: number;

  @TimeColumn('created_at')
  createdAt!: Date;

  /** Its files without their addresses; null: none (`files/file.ts`). */
  @Column({ type: 'json', nullable: true })
  files!: StoredFile[] | null;

  /** When the author last changed it. */
  @TimeColumn('edited_at', { nullable: true })
  editedAt!: Date | null;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_notes_chat', 'chat_id')
  chat?: Chat;
}
