import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Receiver } from '../receivers/receiver.entity.js';

/** How far a bot has read its events. Its filters are in its row in `receivers`. */
@Entity('subscriptions')
export class Subscription {
  @KeyColumn('pk_subscriptions', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_subscriptions', 'bot_id')
  botId!: string;

  /** The id of its row in `receivers`, whose deliveries are its events. */
  @CodeColumn()
  id!: string;

  /** Counts the polls that took events: the poll with the higher number is newer. */
  @Column({ type: 'bigint', default: 0 })
  generation!: string;

  /** The `ack` of the newest response. */
  @CodeColumn('ack', { nullable: true })
  ack!: string | null;

  /** The positions of the deliveries in the newest response. */
  @Column({ type: 'bigint', array: true, default: [] })
  answered!: string[];

  /** Whether no events are queued, because the bot hasn't polled for 7 days. */
  @Column({ name: 'is_resting', type: 'boolean', default: false })
  isSuspended!: boolean;

  /** When it was created, or resumed without a poll. */
  @TimeColumn('awake_since')
  activeSince!: Date;

  @TimeColumn('last_polled_at', { nullable: true })
  lastPolledAt!: Date | null;

  /** The time of the oldest dropped event that no response has reported; null if there is none. */
  @TimeColumn('gap_since', { nullable: true })
  gapSince!: Date | null;

  /** How many events were dropped; if `gapSince` is set, null means unknown. */
  @Column({ name: 'gap_dropped', type: 'bigint', nullable: true })
  gapDropped!: string | null;

  /** The gap that the newest response reported. */
  @TimeColumn('told_gap_since', { nullable: true })
  toldGapSince!: Date | null;

  @Column({ name: 'told_gap_dropped', type: 'bigint', nullable: true })
  toldGapDropped!: string | null;

  /** The generation of the first response that reported all of this gap. */
  @Column({ name: 'told_gap_generation', type: 'bigint', default: 0 })
  toldGapGeneration!: string;

  @ManyToOne(() => Receiver, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_subscriptions_receiver', 'id')
  receiver?: Receiver;
}
