import { Column, Entity, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Receiver } from '../receivers/receiver.entity.js';

/** A copy of a bot that shares the bot's events with others. */
@Entity('subscription_copies')
export class SubscriptionCopy {
  @KeyColumn('pk_subscription_copies', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_subscription_copies', 'subscription_id')
  subscriptionId!: string;

  /** The name that the copy gave itself. */
  @KeyColumn('pk_subscription_copies')
  copy!: string;

  /** The subscription's generation of its newest poll. */
  @Column('bigint')
  generation!: string;

  /** Until then, other copies get no events of its chats. */
  @TimeColumn('leased_until')
  leasedUntil!: Date;

  @ManyToOne(() => Receiver, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_subscription_copies_receiver', 'subscription_id')
  receiver?: Receiver;
}
