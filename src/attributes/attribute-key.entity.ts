import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** An attribute key that filters of chats use. */
@Entity('attribute_keys')
@Index('ix_attribute_keys_pending', ['organizationId', 'key'], { where: 'ready_at IS NULL OR removed_at IS NOT NULL' })
export class AttributeKey {
  @KeyColumn('pk_attribute_keys', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_attribute_keys')
  key!: string;

  @TimeColumn('created_at')
  createdAt!: Date;

  /** The last chat or visitor whose values are stored; null: transactions that don't know the key may be open. */
  @CodeColumn('filled_to', { nullable: true })
  filledTo!: string | null;

  /** When the values of all chats and visitors were stored; null: they aren't yet. */
  @TimeColumn('ready_at', { nullable: true })
  readyAt!: Date | null;

  /** When an administrator removed it. The row stays until its values are removed. */
  @TimeColumn('removed_at', { nullable: true })
  removedAt!: Date | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_attribute_keys_organization' })
  organization?: Organization;
}
