import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { KeyColumn } from '../platform/database/columns.js';
import { AttributeKey } from './attribute-key.entity.js';

/** A value of a key that a chat or visitor has. Triggers of `chats` and `visitors` write it. */
@Entity('attribute_values')
@Index('ix_attribute_values_subject', ['organizationId', 'subjectId'])
export class AttributeValue {
  @KeyColumn('pk_attribute_values', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_attribute_values')
  key!: string;

  /** The first 16 bytes of the SHA-256 of the folded value; empty: any value. */
  @PrimaryColumn({ name: 'value_hash', type: 'bytea', primaryKeyConstraintName: 'pk_attribute_values' })
  valueHash!: Buffer;

  /** The chat or the visitor. */
  @KeyColumn('pk_attribute_values', 'subject_id')
  subjectId!: string;

  /** Whether a signed identity says so. */
  @Column({ name: 'is_verified', type: 'boolean' })
  isVerified!: boolean;

  @ManyToOne(() => AttributeKey, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_attribute_values_key',
    },
    { name: 'key', referencedColumnName: 'key', foreignKeyConstraintName: 'fk_attribute_values_key' },
  ])
  attributeKey?: AttributeKey;
}
