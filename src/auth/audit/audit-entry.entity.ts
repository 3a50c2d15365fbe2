import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { FieldChange } from './audit-changes.js';
import type { ActorType } from '../context/request-context.js';

/** A line of an organization's audit log. */
@Entity('audit_entries')
@Index('ix_audit_entries_at', ['at'])
@Index('ix_audit_entries_target', ['organizationId', 'target', 'action', 'at'])
@Index('ix_audit_entries_of_action', ['organizationId', 'action', 'id'])
@Index('ix_audit_entries_of_target', ['organizationId', 'target', 'id'])
@Index('ix_audit_entries_with_address', ['organizationId', 'id'], { where: 'source_address IS NOT NULL' })
// An index on COALESCE(actor_id, actor_type), which a decorator cannot express.
@Index('ix_audit_entries_of_actor', { synchronize: false })
export class AuditEntry {
  @KeyColumn('pk_audit_entries', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_audit_entries')
  id!: string;

  @TimeColumn('at')
  at!: Date;

  @CodeColumn('actor_type')
  actorType!: ActorType;

  @CodeColumn('actor_id', { nullable: true })
  actorId!: string | null;

  /** The actor's name at that time. */
  @Column({ name: 'actor_name', type: 'text', nullable: true })
  actorName!: string | null;

  @CodeColumn()
  action!: string;

  /** The id of the thing that was changed. */
  @CodeColumn('target', { nullable: true })
  target!: string | null;

  /** The target's name at that time, because it may be removed later. A visitor's name is never stored. */
  @Column({ name: 'target_name', type: 'text', nullable: true })
  targetName!: string | null;

  /** The changed fields, without secrets; null: none. */
  @Column({ type: 'jsonb', nullable: true })
  changes!: FieldChange[] | null;

  @Column({ name: 'source_address', type: 'text', nullable: true })
  sourceAddress!: string | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_audit_entries_organization' })
  organization?: Organization;
}
