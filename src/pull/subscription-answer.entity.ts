import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn } from '../platform/database/columns.js';
import { Receiver } from '../receivers/receiver.entity.js';

/** A response that isn't acknowledged, although the bot was sent a newer one. */
@Entity('subscription_answers')
export class SubscriptionAnswer {
  @KeyColumn('pk_subscription_answers', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_subscription_answers', 'subscription_id')
  subscriptionId!: string;

  /** The generation of the poll that it answered. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_subscription_answers' })
  generation!: string;

  @CodeColumn()
  ack!: string;

  /** The positions of its deliveries. */
  @Column({ type: 'bigint', array: true })
  positions!: string[];

  @ManyToOne(() => Receiver, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_subscription_answers_receiver', 'subscription_id')
  receiver?: Receiver;
}
