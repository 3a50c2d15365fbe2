import { Check, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** Why an address gets no mails of an organization. An address without a row gets them. */
@Entity('mail_addresses')
@Check('ck_mail_addresses_status', `status IN ('BOUNCED', 'UNSUBSCRIBED')`)
export class MailAddress {
  @KeyColumn('pk_mail_addresses', 'organization_id')
  organizationId!: string;

  /** The hash of the address, so that it can outlive an erased visitor. */
  @KeyColumn('pk_mail_addresses', 'address_hash')
  addressHash!: string;

  @CodeColumn()
  status!: 'BOUNCED' | 'UNSUBSCRIBED';

  @TimeColumn('since')
  since!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_mail_addresses_organization' })
  organization?: Organization;
}
