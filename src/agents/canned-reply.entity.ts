import { Column, Entity, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';

/** A text that agents send often, under a shortcut. */
@Entity('canned_replies')
@Unique('uq_canned_replies_shortcut', ['organizationId', 'shortcut'])
export class CannedReply {
  @KeyColumn('pk_canned_replies', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_canned_replies')
  id!: string;

  @CodeColumn()
  shortcut!: string;

  @Column('text')
  content!: string;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_canned_replies_organization' })
  organization?: Organization;
}
