import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Chat } from './chat.entity.js';

/** The side that reads: the visitor, or the organization (bots and agents together). */
export type Side = 'visitor' | 'organization';

/** How far a side has read a chat; it never goes back. */
@Entity('chat_reads')
@Check('ck_chat_reads_side', `side IN ('visitor', 'organization')`)
export class ChatRead {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_chat_reads' })
  organizationId!: string;

  @PrimaryColumn({ name: 'chat_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_chat_reads' })
  chatId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_chat_reads' })
  side!: Side;

  /** The `seq` of the last message that was read. */
  @Column('integer')
  seq!: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organizationId', foreignKeyConstraintName: 'fk_chat_reads_chat' },
    { name: 'chat_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_chat_reads_chat' },
  ])
  chat?: Chat;
}
