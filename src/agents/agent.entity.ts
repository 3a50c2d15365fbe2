import { Column, Entity, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';

/** A person who answers chats. */
@Entity('agents')
@Unique('uq_agents_email', ['organizationId', 'emailKey'])
export class Agent {
  @KeyColumn('pk_agents', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_agents')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** The address in lower case: `Ada@` and `ada@` are one person. */
  @CodeColumn('email_key')
  emailKey!: string;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_agents_organization' })
  organization?: Organization;
}
