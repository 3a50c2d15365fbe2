import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Group } from '../groups/group.entity.js';
import { Agent } from './agent.entity.js';

/** The membership of an agent in a group. */
@Entity('agent_groups')
@Index('ix_agent_groups_agent', ['organizationId', 'agentId'])
export class AgentGroup {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_agent_groups' })
  organizationId!: string;

  @PrimaryColumn({ name: 'group_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_agent_groups' })
  groupId!: string;

  @PrimaryColumn({ name: 'agent_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_agent_groups' })
  agentId!: string;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_agent_groups_group',
    },
    { name: 'group_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_agent_groups_group' },
  ])
  group?: Group;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'fk_agent_groups_agent',
    },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_agent_groups_agent' },
  ])
  agent?: Agent;
}
