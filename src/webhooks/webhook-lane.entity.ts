import { Column, Entity, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Webhook } from './webhook.entity.js';

/** The state of a webhook's queue: its lease, and since when it has been failing. */
@Entity('webhook_lanes')
export class WebhookLane {
  @KeyColumn('pk_webhook_lanes', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_webhook_lanes', 'webhook_id')
  webhookId!: string;

  /** The fencing token, which counts the leases. Writes with an older token have no effect. */
  @Column({ type: 'bigint', default: 0 })
  fence!: string;

  /** The end of the lease; null or past: no node holds the lane. */
  @TimeColumn('leased_until', { nullable: true })
  leasedUntil!: Date | null;

  /** The first failure since the last success. */
  @TimeColumn('failing_since', { nullable: true })
  failingSince!: Date | null;

  /** No attempt is made before this time. */
  @TimeColumn('paused_until', { nullable: true })
  pausedUntil!: Date | null;

  /**
   * The last taken position. While the lease lasts, first attempts up to it are in flight, except the later ones of full chats.
   */
  @Column({ name: 'taken_position', type: 'bigint', default: 0 })
  takenPosition!: string;

  /** When deliveries were last taken. Retries that were due by then are in flight while the lease lasts. */
  @TimeColumn('taken_at', { nullable: true })
  takenAt!: Date | null;

  @ManyToOne(() => Webhook, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_webhook_lanes_webhook', 'webhook_id')
  webhook?: Webhook;
}
