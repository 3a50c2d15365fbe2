import { Entity, Index, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Agent } from './agent.entity.js';

/** An open socket of an agent. It lives as long as its node is seen, and a little longer than its end. */
@Entity('agent_connections')
@Index('ix_agent_connections_node', ['nodeId'])
@Index('ix_agent_connections_closed', ['closedAt'], { where: 'closed_at IS NOT NULL' })
export class AgentConnection {
  @KeyColumn('pk_agent_connections', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_agent_connections', 'agent_id')
  agentId!: string;

  @KeyColumn('pk_agent_connections')
  id!: string;

  /** The session it was opened with: what ends the session ends it at once. */
  @CodeColumn('session_id')
  sessionId!: string;

  @CodeColumn('node_id')
  nodeId!: string;

  @TimeColumn('opened_at')
  openedAt!: Date;

  /** When it was closed; null while it is open. */
  @TimeColumn('closed_at', { nullable: true })
  closedAt!: Date | null;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_agent_connections_agent', 'agent_id')
  agent?: Agent;
}
