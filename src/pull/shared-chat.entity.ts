import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CodeColumn, KeyColumn } from '../platform/database/columns.js';
import { SubscriptionCopy } from './subscription-copy.entity.js';

/** A chat with events that a copy of a bot was sent and hasn't acknowledged: no other copy gets events of it. */
@Entity('shared_chats')
@Index('ix_shared_chats_copy', ['organizationId', 'subscriptionId', 'copy'])
export class SharedChat {
  @KeyColumn('pk_shared_chats', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_shared_chats', 'subscription_id')
  subscriptionId!: string;

  @KeyColumn('pk_shared_chats', 'chat_id')
  chatId!: string;

  @CodeColumn()
  copy!: string;

  /** The positions of these events. */
  @Column({ type: 'bigint', array: true })
  positions!: string[];

  @ManyToOne(() => SubscriptionCopy, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_shared_chats_copy',
    },
    {
      name: 'subscription_id',
      referencedColumnName: 'subscriptionId',
      foreignKeyConstraintName: 'fk_shared_chats_copy',
    },
    { name: 'copy', referencedColumnName: 'copy', foreignKeyConstraintName: 'fk_shared_chats_copy' },
  ])
  holder?: SubscriptionCopy;
}
