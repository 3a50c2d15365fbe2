import { Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** A link that signs an agent in once. Only its token's hash is stored. The row is removed when the link is used. */
@Entity('sign_in_links')
@Unique('uq_sign_in_links_hash', ['tokenHash'])
@Index('ix_sign_in_links_agent', ['organizationId', 'agentId'])
@Index('ix_sign_in_links_expiry', ['expiresAt'])
export class SignInLink {
  @KeyColumn('pk_sign_in_links', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_sign_in_links')
  id!: string;

  @CodeColumn('agent_id')
  agentId!: string;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('expires_at')
  expiresAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_sign_in_links_organization' })
  organization?: Organization;
}
