import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** A tag of an organization. */
@Entity('tags')
@Index('ix_tags_key', ['organizationId', 'key', 'id'])
@Index('ix_tags_changing', ['organizationId', 'id'], { where: 'removed_at IS NOT NULL OR renamed_to IS NOT NULL' })
export class Tag {
  @KeyColumn('pk_tags', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_tags')
  id!: string;

  /** As it was first written, or renamed. */
  @Column('text')
  name!: string;

  /** What names of the same tag have in common (`tag-key.ts`). */
  @CodeColumn()
  key!: string;

  /** `#rrggbb` in lower case. */
  @CodeColumn('color', { nullable: true })
  color!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  /** Search finds the tag's chats up to this id by the new name; null: all of them. */
  @CodeColumn('renamed_to', { nullable: true })
  renamedTo!: string | null;

  /** When it was deleted or merged. The row stays until no chat has it. */
  @TimeColumn('removed_at', { nullable: true })
  removedAt!: Date | null;

  /** The tag that its chats get instead; null if it was deleted. */
  @CodeColumn('merged_into', { nullable: true })
  mergedInto!: string | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_tags_organization' })
  organization?: Organization;
}
