import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';

const KEY = { type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_ended_visitor_tokens' } as const;

/** A visitor's token that was ended before it expired; kept until it has expired on every node. */
@Entity('ended_visitor_tokens')
@Index('ix_ended_visitor_tokens_expires_at', ['expiresAt'])
export class EndedVisitorToken {
  @PrimaryColumn({ name: 'organization_id', ...KEY })
  organizationId!: string;

  /** A hash of the token, from which the token cannot be derived. */
  @PrimaryColumn({ name: 'token_id', ...KEY })
  tokenId!: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_ended_visitor_tokens_organization' })
  organization?: Organization;
}
