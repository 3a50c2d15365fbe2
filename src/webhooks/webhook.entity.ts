import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import type { EventType } from '../outbox/event-type.js';
import type { SenderType } from '../messages/message.js';

/** A URL to which an organization's events are sent. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_webhooks' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_webhooks' })
  id!: string;

  @Column('text')
  url!: string;

  /** Null: every event. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null;

  /** The senders whose messages are sent; null: all. */
  @Column({ name: 'sender_types', type: 'text', array: true, nullable: true })
  senderTypes!: SenderType[] | null;

  @Column({ name: 'is_enabled', type: 'boolean', default: true })
  isEnabled!: boolean;

  /** Why Parley disabled it; null when a person did. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  /** The sealed secret. */
  @Column({ type: 'bytea', select: false })
  secret!: Buffer;

  /** The sealed previous secret, which also signs until it expires. */
  @Column({ name: 'previous_secret', type: 'bytea', nullable: true, select: false })
  previousSecret!: Buffer | null;

  @Column({ name: 'previous_secret_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_webhooks_organization' })
  organization?: Organization;
}
