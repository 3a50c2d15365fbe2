import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Organization } from '../../organizations/organization.entity.js';

/** A visitor's token that ended before it expired. Kept until it has expired on every node. */
@Entity('ended_visitor_tokens')
@Index('ix_ended_visitor_tokens_expires_at', ['expiresAt'])
export class EndedVisitorToken {
  @KeyColumn('pk_ended_visitor_tokens', 'organization_id')
  organizationId!: string;

  /** A hash of the token. The token can't be derived from it. */
  @KeyColumn('pk_ended_visitor_tokens', 'token_id')
  tokenId!: string;

  @TimeColumn('expires_at')
  expiresAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_ended_visitor_tokens_organization' })
  organization?: Organization;
}
