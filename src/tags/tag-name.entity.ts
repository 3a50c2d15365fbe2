import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** A name that means a tag: the present one, or a former one. The key is unique in the organization. */
@Entity('tag_names')
@Index('ix_tag_names_tag', ['organizationId', 'tagId'])
export class TagName {
  @KeyColumn('pk_tag_names', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_tag_names')
  key!: string;

  @Column('text')
  name!: string;

  @CodeColumn('tag_id')
  tagId!: string;

  /** Since when it's a former name; null: the present one. */
  @TimeColumn('retired_at', { nullable: true })
  retiredAt!: Date | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_tag_names_organization' })
  organization?: Organization;
}
