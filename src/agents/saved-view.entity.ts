import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';
import { Agent } from './agent.entity.js';

/** A search that's kept under a name. An agent's own one has `agentId`. */
@Entity('saved_views')
@Index('ix_saved_views_agent', ['organizationId', 'agentId'])
export class SavedView {
  @KeyColumn('pk_saved_views', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_saved_views')
  id!: string;

  /** The agent whose own view it is; null: the team's. */
  @CodeColumn('agent_id', { nullable: true })
  agentId!: string | null;

  @Column('text')
  name!: string;

  /** Words and filters as the console writes them. They're checked when they're used. */
  @Column('text')
  query!: string;

  /** Its place among the views; several may have the same. */
  @Column('integer')
  position!: number;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_saved_views_organization' })
  organization?: Organization;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_saved_views_agent', 'agent_id')
  agent?: Agent | null;
}
