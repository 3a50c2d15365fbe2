import { Column, Entity, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** How far a bot has fetched its events. What it wants stands in its row of `webhooks`. */
@Entity('subscriptions')
export class Subscription {
  @KeyColumn('pk_subscriptions', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_subscriptions', 'bot_id')
  botId!: string;

  /** Its row of `webhooks`, whose deliveries are its events. */
  @CodeColumn()
  id!: string;

  /** Counts the calls that took events: of two calls the one with the higher number is newer. */
  @Column({ type: 'bigint', default: 0 })
  generation!: string;

  /** The `ack` of the newest answer. */
  @CodeColumn('ack', { nullable: true })
  ack!: string | null;

  /** The positions of the deliveries in the newest answer. */
  @Column({ type: 'bigint', array: true, default: [] })
  answered!: string[];

  /** Whether no events are kept, because the bot has not called for 7 days. */
  @Column({ name: 'is_resting', type: 'boolean', default: false })
  isResting!: boolean;

  /** When it was made, or wakened by its bot without a call for events. */
  @TimeColumn('awake_since')
  awakeSince!: Date;

  @TimeColumn('last_polled_at', { nullable: true })
  lastPolledAt!: Date | null;

  /** The time of the oldest event that was dropped and that no answer has told of; null: none. */
  @TimeColumn('gap_since', { nullable: true })
  gapSince!: Date | null;

  /** How many events were dropped; null, while `gapSince` is set: not known. */
  @Column({ name: 'gap_dropped', type: 'bigint', nullable: true })
  gapDropped!: string | null;

  /** The gap of which the newest answer told. */
  @TimeColumn('told_gap_since', { nullable: true })
  toldGapSince!: Date | null;

  @Column({ name: 'told_gap_dropped', type: 'bigint', nullable: true })
  toldGapDropped!: string | null;

  /** The number of the first answer that told of all of this gap. */
  @Column({ name: 'told_gap_generation', type: 'bigint', default: 0 })
  toldGapGeneration!: string;

  @ManyToOne('Webhook', { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_subscriptions_webhook', 'id')
  webhook?: unknown;
}
