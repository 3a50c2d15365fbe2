import { Column, Entity, Index } from 'typeorm';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** The times of the last mails from all organizations to one person's address, for limits. */
@Entity('mail_limits')
@Index('ix_mail_limits_expiry', ['expiresAt'])
export class MailLimit {
  /** The limit, and the keyed hash of the address. */
  @KeyColumn('pk_mail_limits')
  key!: string;

  @Column({ type: 'timestamptz', array: true })
  times!: Date[];

  @TimeColumn('expires_at')
  expiresAt!: Date;
}
