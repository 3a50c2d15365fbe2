import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';

/** A group of agents. The database guarantees that exactly one group of an organization is the default. */
@Entity('groups')
@Index('uq_groups_default', ['organizationId'], { unique: true, where: 'is_default' })
export class Group {
  @KeyColumn('pk_groups', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_groups')
  id!: string;

  @Column('text')
  name!: string;

  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault!: boolean;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_groups_organization' })
  organization?: Organization;
}
