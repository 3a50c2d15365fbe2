import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Agent } from './agent.entity.js';

/** An agent's socket. It counts while its node runs, and for 15 s after it closes. */
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

  /** The session it was opened with. Ending the session ends the connection immediately. */
  @CodeColumn('session_id')
  sessionId!: string;

  @CodeColumn('node_id')
  nodeId!: string;

  @TimeColumn('opened_at')
  openedAt!: Date;

  /** When it was closed; null while it is open. */
  @TimeColumn('closed_at', { nullable: true })
  closedAt!: Date | null;

  /** Whether its page is visible, as the page says. */
  @Column({ name: 'is_visible', type: 'boolean', default: false })
  isVisible!: boolean;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_agent_connections_agent', 'agent_id')
  agent?: Agent;
}
