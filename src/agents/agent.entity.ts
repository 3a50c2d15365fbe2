import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';

/** A person who answers chats. */
@Entity('agents')
@Unique('uq_agents_email', ['organizationId', 'emailKey'])
export class Agent {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_agents' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_agents' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** The address in lower case: `Ada@` and `ada@` are one person. */
  @Column({ name: 'email_key', type: 'text', collation: 'C' })
  emailKey!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_agents_organization' })
  organization?: Organization;
}
