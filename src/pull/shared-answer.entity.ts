import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CodeColumn, KeyColumn } from '../platform/database/columns.js';
import { SubscriptionCopy } from './subscription-copy.entity.js';

/** A response to a copy of a bot that isn't acknowledged. */
@Entity('shared_answers')
export class SharedAnswer {
  @KeyColumn('pk_shared_answers', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_shared_answers', 'subscription_id')
  subscriptionId!: string;

  @KeyColumn('pk_shared_answers')
  copy!: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_shared_answers' })
  generation!: string;

  @CodeColumn()
  ack!: string;

  /** The positions of its deliveries. */
  @Column({ type: 'bigint', array: true })
  positions!: string[];

  @ManyToOne(() => SubscriptionCopy, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_shared_answers_copy',
    },
    {
      name: 'subscription_id',
      referencedColumnName: 'subscriptionId',
      foreignKeyConstraintName: 'fk_shared_answers_copy',
    },
    { name: 'copy', referencedColumnName: 'copy', foreignKeyConstraintName: 'fk_shared_answers_copy' },
  ])
  holder?: SubscriptionCopy;
}
