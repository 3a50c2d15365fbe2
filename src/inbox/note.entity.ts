import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Chat } from '../chats/model/chat.entity.js';

/** What agents write to each other about a chat: no message, and never shown to bots and visitors. */
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

  /** The author and the author's name of that time; the agent may have been removed. */
  @CodeColumn('author_id')
  authorId!: string;

  @Column({ name: 'author_name', type: 'text' })
  authorName!: string;

  /** The chat's highest `seq` at that time. */
  @Column({ name: 'after_seq', type: 'integer' })
  afterSeq!: number;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_notes_chat', 'chat_id')
  chat?: Chat;
}
