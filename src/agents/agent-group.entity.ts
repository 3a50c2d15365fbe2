import { Entity, Index, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn } from '../platform/database/columns.js';
import { Group } from '../groups/group.entity.js';
import { Agent } from './agent.entity.js';

/** The membership of an agent in a group. */
@Entity('agent_groups')
@Index('ix_agent_groups_agent', ['organizationId', 'agentId'])
export class AgentGroup {
  @KeyColumn('pk_agent_groups', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_agent_groups', 'group_id')
  groupId!: string;

  @KeyColumn('pk_agent_groups', 'agent_id')
  agentId!: string;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_agent_groups_group', 'group_id')
  group?: Group;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_agent_groups_agent', 'agent_id')
  agent?: Agent;
}
