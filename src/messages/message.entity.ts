import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Chat } from '../chats/chat.entity.js';
import type { MessageType, SenderType } from './message.js';

/**
 * A message. `seq` counts 1, 2, 3 … in its chat, in commit order. A message changes only when its anonymous visitor is
 * merged into a signed person, and when it becomes a tombstone without content.
 */
@Entity('messages')
@Index('uq_messages_client_message_id', ['organizationId', 'senderId', 'clientMessageId'], {
  unique: true,
  where: 'client_message_id IS NOT NULL',
})
@Index('ix_messages_offers', ['organizationId', 'chatId', 'id'], { where: `type IN ('QUICK_REPLY', 'BUTTON')` })
export class Message {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_messages' })
  organizationId!: string;

  @PrimaryColumn({ name: 'chat_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_messages' })
  chatId!: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_messages' })
  seq!: number;

  @Column({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  type!: MessageType;

  @Column('text')
  content!: string;

  /** Null when none was sent. Kept as `json`, not `jsonb`, which spells 1e300 in 301 digits. */
  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  @Column({ name: 'sender_type', type: 'text', collation: 'C' })
  senderType!: SenderType;

  @Column({ name: 'sender_id', type: 'text', collation: 'C', nullable: true })
  senderId!: string | null;

  /** The sender's name when the message was sent. */
  @Column({ name: 'sender_name', type: 'text', nullable: true })
  senderName!: string | null;

  @Column({ name: 'reply_to_message_id', type: 'text', collation: 'C', nullable: true })
  replyToMessageId!: string | null;

  @Column({ name: 'reply_to_value', type: 'text', nullable: true })
  replyToValue!: string | null;

  @Column({ name: 'client_message_id', type: 'text', collation: 'C', nullable: true, select: false })
  clientMessageId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When it became a tombstone; null before. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId', foreignKeyConstraintName: 'fk_messages_chat' },
    { name: 'chat_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_messages_chat' },
  ])
  chat?: Chat;
}
