import { Column, Entity, OneToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Receiver } from '../receivers/receiver.entity.js';

/** The URL that the service sends a receiver's events to, and the secrets that sign them. */
@Entity('webhooks')
export class Webhook {
  @KeyColumn('pk_webhooks', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_webhooks')
  id!: string;

  @Column('text')
  url!: string;

  /** The sealed secret. */
  @Column('bytea')
  secret!: Buffer;

  /** The sealed previous secret, which also signs until it expires. */
  @Column({ name: 'previous_secret', type: 'bytea', nullable: true })
  previousSecret!: Buffer | null;

  @TimeColumn('previous_secret_expires_at', { nullable: true })
  previousSecretExpiresAt!: Date | null;

  @OneToOne(() => Receiver, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_webhooks_receiver', 'id')
  receiver?: Receiver;
}
