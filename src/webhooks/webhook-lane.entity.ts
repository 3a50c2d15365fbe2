import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Webhook } from './webhook.entity.js';

/** The state of a webhook's queue: its lease, and since when it has been failing. */
@Entity('webhook_lanes')
export class WebhookLane {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'pk_webhook_lanes',
  })
  organizationId!: string;

  @PrimaryColumn({ name: 'webhook_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_webhook_lanes' })
  webhookId!: string;

  /** The fencing token, which counts the leases: writes with an older token have no effect. */
  @Column({ type: 'bigint', default: 0 })
  fence!: string;

  /** The end of the lease; null or past: no node holds the lane. */
  @Column({ name: 'leased_until', type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil!: Date | null;

  /** The first failure since the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** No attempt is made before this time. */
  @Column({ name: 'paused_until', type: 'timestamptz', precision: 3, nullable: true })
  pausedUntil!: Date | null;

  /** The last position that was taken; first attempts up to it are in flight while the lease lasts. */
  @Column({ name: 'taken_position', type: 'bigint', default: 0 })
  takenPosition!: string;

  /** When deliveries were last taken; retries that were due by then are in flight while the lease lasts. */
  @Column({ name: 'taken_at', type: 'timestamptz', precision: 3, nullable: true })
  takenAt!: Date | null;

  @ManyToOne(() => Webhook, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_webhook_lanes_webhook',
    },
    { name: 'webhook_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_webhook_lanes_webhook' },
  ])
  webhook?: Webhook;
}
