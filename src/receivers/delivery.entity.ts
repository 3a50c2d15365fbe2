import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CodeColumn, TimeColumn } from '../platform/database/columns.js';
import type { EventType } from './event-type.js';

const key = { type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_deliveries' } as const;
const isWaiting = 'outcome IS NULL';

/** One event for one receiver. It waits until it has an outcome. */
@Entity('deliveries')
@Check('ck_deliveries_outcome', `outcome IN ('delivered', 'dead')`)
@Index('ix_deliveries_first', ['organizationId', 'receiverId', 'position'], {
  where: `${isWaiting} AND due_at IS NULL`,
})
@Index('ix_deliveries_retry', ['organizationId', 'receiverId', 'dueAt'], {
  where: `${isWaiting} AND due_at IS NOT NULL`,
})
@Index('ix_deliveries_dead', ['organizationId', 'receiverId', 'id'], { where: `outcome = 'dead'` })
// An index on COALESCE(outcome, 'waiting'), which a decorator cannot express. Only of webhooks: not of bots that poll.
@Index('ix_deliveries_of_webhooks', { synchronize: false })
@Index('ix_deliveries_chat_events', ['organizationId', 'chatId'], { where: `event_type <> 'message.created'` })
export class Delivery {
  @PrimaryColumn({ ...key, name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn({ ...key, name: 'receiver_id' })
  receiverId!: string;

  /** Has the same suffix as the id of its event: `dlv_x` delivers `evt_x`. */
  @PrimaryColumn(key)
  id!: string;

  /** The order of first attempts. Within a chat, it's the order of `seq`. */
  @Column('bigint')
  position!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn('event_type')
  eventType!: EventType;

  /** The body, the same bytes at every attempt. */
  @Column('text')
  payload!: string;

  @Column({ name: 'attempt_count', type: 'integer', default: 0 })
  attemptCount!: number;

  /** The index of the next step in the retry schedule. */
  @Column({ name: 'retry_count', type: 'integer', default: 0 })
  retryCount!: number;

  /** The time of the next attempt; null before the first attempt. */
  @TimeColumn('due_at', { nullable: true })
  dueAt!: Date | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  outcome!: 'delivered' | 'dead' | null;

  /** The trace of the request that caused the event (W3C `traceparent`); null without one. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  traceparent!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;
}
