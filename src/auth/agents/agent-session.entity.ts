import { Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import type { SessionEndReason } from '../context/auth.events.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** A session of an agent who signed in; only the hash of its token is stored. */
@Entity('agent_sessions')
@Unique('uq_agent_sessions_hash', ['tokenHash'])
@Index('ix_agent_sessions_agent', ['organizationId', 'agentId'])
@Index('ix_agent_sessions_network', ['organizationId', 'agentId', 'sourceNetwork', 'createdAt'])
@Index('ix_agent_sessions_expiry', ['expiresAt'])
export class AgentSession {
  @KeyColumn('pk_agent_sessions', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_agent_sessions')
  id!: string;

  @CodeColumn('agent_id')
  agentId!: string;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;

  /** The network that the agent signed in from: IPv4 /24, IPv6 /48. */
  @Column({ name: 'source_network', type: 'text' })
  sourceNetwork!: string;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('last_used_at')
  lastUsedAt!: Date;

  /** When it ends, however often it's used. */
  @TimeColumn('expires_at')
  expiresAt!: Date;

  /** Why it ended; null while it's active or if it expired. The row stays, because it shows that the network is known. */
  @CodeColumn('end_reason', { nullable: true })
  endReason!: SessionEndReason | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_agent_sessions_organization' })
  organization?: Organization;
}
