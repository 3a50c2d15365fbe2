import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/**
 * How many failures of an email address don't count for one agent who has it, because they have signed in since. The failures
 * themselves count for every agent with the address, so no agent can reset them for another.
 */
@Entity('forgiven_failures')
@Index('ix_forgiven_failures_window', ['windowBeganAt'])
export class ForgivenFailure {
  @KeyColumn('pk_forgiven_failures', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_forgiven_failures', 'agent_id')
  agentId!: string;

  /** As in `SignInFailure`. */
  @KeyColumn('pk_forgiven_failures', 'source_network')
  sourceNetwork!: string;

  @Column('integer')
  failures!: number;

  /** The window of the failures. In another window, none is forgiven. */
  @TimeColumn('window_began_at')
  windowBeganAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_forgiven_failures_organization' })
  organization?: Organization;
}
