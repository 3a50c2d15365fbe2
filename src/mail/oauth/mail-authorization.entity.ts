import { Column, Entity } from 'typeorm';
import { KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** The tokens for the mail servers. A row is of the installation, not of an organization. */
@Entity('mail_authorizations')
export class MailAuthorization {
  /** The hash of the OAuth server and the client. */
  @KeyColumn('pk_mail_authorizations')
  key!: string;

  /** The tokens, encrypted with SECRET_KEY. */
  @Column('bytea')
  sealed!: Buffer;

  /** When the access token ends. */
  @TimeColumn('expires_at')
  expiresAt!: Date;

  /** Until when a node renews it; null: none does. */
  @TimeColumn('renewing_until', { nullable: true })
  renewingUntil!: Date | null;

  /** Why the last renewal failed; null after a success. */
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  /** When the next renewal may be tried, after one that was refused. */
  @TimeColumn('retry_at', { nullable: true })
  retryAt!: Date | null;
}
