import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';

/** The person at the other end of a chat. */
@Entity('visitors')
@Unique('uq_visitors_external_id', ['organizationId', 'externalId'])
@Index('ix_visitors_erasing', ['organizationId', 'id'], { where: 'erasing_since IS NOT NULL' })
@Index('ix_visitors_silent', ['organizationId', 'id'], { where: 'external_id IS NULL AND NOT is_kept' })
// On lower(email), which a decorator cannot say.
@Index('ix_visitors_email', { synchronize: false })
export class Visitor {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_visitors' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_visitors' })
  id!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  /**
   * The `sub` of a signed identity: the customer's own id of this person. Empty, as none can be: the nobody to whom the
   * chats of erased people belong.
   */
  @Column({ name: 'external_id', type: 'text', collation: 'C', nullable: true })
  externalId!: string | null;

  /** Set: the visitor is gone for everybody, and what is left of them is being erased. */
  @Column({ name: 'erasing_since', type: 'timestamptz', precision: 3, nullable: true })
  erasingSince!: Date | null;

  /** Set: stays although it is anonymous, because it has said something, or the customer made it. */
  @Column({ name: 'is_kept', type: 'boolean', default: false, select: false })
  isKept!: boolean;

  /** When name and email first came from a signed identity: since then they come from nothing else. */
  @Column({ name: 'signed_at', type: 'timestamptz', precision: 3, nullable: true })
  signedAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_visitors_organization' })
  organization?: Organization;
}
