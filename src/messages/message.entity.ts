import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import type { StoredFile } from '../files/file.js';
import type { MessageType, SenderType } from './message.js';

/**
 * A message. `seq` counts 1, 2, 3 … in its chat, in commit order. A message changes only when its anonymous visitor is
 * merged into a signed person, and when it becomes a tombstone without content. It has no foreign key to its chat, whose check would
 * be a tenth of an append's work in the database: the statement that inserts it holds the chat's row, and a trigger of `chats`
 * removes the messages of a deleted chat.
 */
@Entity('messages')
@Index('uq_messages_client_message_id', ['organizationId', 'senderId', 'clientMessageId'], {
  unique: true,
  where: 'client_message_id IS NOT NULL',
})
@Index('ix_messages_offers', ['organizationId', 'chatId', 'id'], { where: `type IN ('QUICK_REPLY', 'BUTTON')` })
@Index('ix_messages_of_agent', ['organizationId', 'senderId', 'createdAt', 'chatId'], {
  where: `sender_type = 'AGENT'`,
})
export class Message {
  @KeyColumn('pk_messages', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_messages', 'chat_id')
  chatId!: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_messages' })
  seq!: number;

  @CodeColumn()
  id!: string;

  @CodeColumn()
  type!: MessageType;

  @Column('text')
  content!: string;

  /** Null when none was sent. Kept as `json`, not `jsonb`, which spells 1e300 in 301 digits. */
  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  @CodeColumn('sender_type')
  senderType!: SenderType;

  @CodeColumn('sender_id', { nullable: true })
  senderId!: string | null;

  /** The sender's name when the message was sent. */
  @Column({ name: 'sender_name', type: 'text', nullable: true })
  senderName!: string | null;

  /** Whether a bot was an AI when it sent the message; null: not stored, so it counts as one, or the sender is no bot. */
  @Column({ name: 'sender_is_ai', type: 'boolean', nullable: true })
  senderIsAi!: boolean | null;

  @CodeColumn('reply_to_message_id', { nullable: true })
  replyToMessageId!: string | null;

  @Column({ name: 'reply_to_value', type: 'text', nullable: true })
  replyToValue!: string | null;

  @CodeColumn('client_message_id', { nullable: true, select: false })
  clientMessageId!: string | null;

  /** Its files without their addresses; null: none (`files/file.ts`). */
  @Column({ type: 'json', nullable: true })
  files!: StoredFile[] | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  /** When it became a tombstone. */
  @TimeColumn('deleted_at', { nullable: true })
  deletedAt!: Date | null;
}
