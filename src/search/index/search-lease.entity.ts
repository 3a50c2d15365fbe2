import { Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** Which node writes an organization's index, and until when. */
@Entity('search_leases')
export class SearchLease {
  @KeyColumn('pk_search_leases', 'organization_id')
  organizationId!: string;

  @CodeColumn('node_id')
  nodeId!: string;

  @TimeColumn('leased_until')
  leasedUntil!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_search_leases_organization' })
  organization?: Organization;
}
