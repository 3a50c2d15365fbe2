import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from '../outbox/event-type.js';

const key = { type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_deliveries' } as const;
const isWaiting = 'outcome IS NULL';

/** One event on its way to one webhook; waiting until it has an outcome. */
@Entity('deliveries')
@Check('ck_deliveries_outcome', `outcome IN ('delivered', 'dead')`)
@Index('ix_deliveries_first', ['organizationId', 'webhookId', 'position'], {
  where: `${isWaiting} AND due_at IS NULL`,
})
@Index('ix_deliveries_retry', ['organizationId', 'webhookId', 'dueAt'], {
  where: `${isWaiting} AND due_at IS NOT NULL`,
})
@Index('ix_deliveries_dead', ['organizationId', 'webhookId', 'id'], { where: `outcome = 'dead'` })
// On COALESCE(outcome, 'waiting'), which a decorator cannot say.
@Index('ix_deliveries_list', { synchronize: false })
@Index('ix_deliveries_chat_events', ['organizationId', 'chatId'], { where: `event_type <> 'message.created'` })
export class Delivery {
  @PrimaryColumn({ ...key, name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn({ ...key, name: 'webhook_id' })
  webhookId!: string;

  /** Ends as the id of its event does: `dlv_x` delivers `evt_x`. */
  @PrimaryColumn(key)
  id!: string;

  /** The order of first attempts; within a chat that of `seq`. */
  @Column('bigint')
  position!: string;

  @Column({ name: 'chat_id', type: 'text', collation: 'C' })
  chatId!: string;

  @Column({ name: 'event_type', type: 'text', collation: 'C' })
  eventType!: EventType;

  /** The body, byte for byte the same at every attempt. */
  @Column('text')
  payload!: string;

  @Column({ name: 'attempt_count', type: 'integer', default: 0 })
  attemptCount!: number;

  /** Which step of the schedule comes next. */
  @Column({ name: 'retry_count', type: 'integer', default: 0 })
  retryCount!: number;

  /** When it is tried again; null before the first attempt. */
  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt!: Date | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  outcome!: 'delivered' | 'dead' | null;

  /** The trace of the request that made the event (W3C `traceparent`); null when it came with none. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  traceparent!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
