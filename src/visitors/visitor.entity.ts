import { Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import type { StoredAttributes } from './visitors.queries.js';
import { Organization } from '../organizations/organization.entity.js';

/** A visitor of the customer's website, who chats. */
@Entity('visitors')
@Unique('uq_visitors_external_id', ['organizationId', 'externalId'])
@Index('ix_visitors_erasing', ['organizationId', 'id'], { where: 'erasing_since IS NOT NULL' })
@Index('ix_visitors_silent', ['organizationId', 'id'], { where: 'external_id IS NULL AND NOT is_kept' })
// Indexes on the folded email, name, and last word of the name, for finding visitors.
@Index('ix_visitors_folded_email', { synchronize: false })
@Index('ix_visitors_folded_name', { synchronize: false })
@Index('ix_visitors_folded_last_word', { synchronize: false })
export class Visitor {
  @KeyColumn('pk_visitors', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_visitors')
  id!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  /** What bots, agents, and administrators know of the visitor. */
  @Column({ type: 'json', nullable: true })
  attributes!: StoredAttributes;

  /** When they last changed. */
  @TimeColumn('attributes_at', { nullable: true, select: false })
  attributesAt!: Date | null;

  /** What signed identities say of the visitor. */
  @Column({ name: 'verified_attributes', type: 'json', nullable: true })
  verifiedAttributes!: StoredAttributes;

  /**
   * The `sub` of a signed identity: the customer's own id of this person. Empty for the placeholder that owns the chats of erased
   * visitors, because no identity has an empty `sub`.
   */
  @CodeColumn('external_id', { nullable: true })
  externalId!: string | null;

  /** Set: the visitor is erased for all callers, and their remaining data is being removed. */
  @TimeColumn('erasing_since', { nullable: true })
  erasingSince!: Date | null;

  /** True: retention keeps this anonymous visitor, because they wrote a message or the customer created them. */
  @Column({ name: 'is_kept', type: 'boolean', default: false, select: false })
  isKept!: boolean;

  /** When name and email first came from a signed identity: from then on, they come from nothing else. */
  @TimeColumn('signed_at', { nullable: true })
  signedAt!: Date | null;

  /** The address whose mails the visitor reads: they used a link that was mailed to it. It counts only while it is `email`. */
  @Column({ name: 'verified_email', type: 'text', nullable: true, select: false })
  verifiedEmail!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_visitors_organization' })
  organization?: Organization;
}
