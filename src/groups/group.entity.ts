import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';

/** A group of agents. The database guarantees that exactly one group of an organization is the default. */
@Entity('groups')
@Index('uq_groups_default', ['organizationId'], { unique: true, where: 'is_default' })
export class Group {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_groups' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_groups' })
  id!: string;

  @Column('text')
  name!: string;

  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_groups_organization' })
  organization?: Organization;
}
