import { Column, Entity } from 'typeorm';
import { BytesColumn, CodeColumn, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** How far a mailbox has been read, and the node that reads it. A row is of the installation, not of an organization. */
@Entity('mailboxes')
export class MailboxRow {
  /** The hash of the server and the user. */
  @KeyColumn('pk_mailboxes')
  key!: string;

  /** The mailbox's UIDVALIDITY; null before the first start. */
  @BytesColumn('uid_validity', { nullable: true })
  uidValidity!: number | null;

  /** The UID of the last mail that was handled. */
  @BytesColumn('last_uid', { default: 0 })
  lastUid!: number;

  /** How often the mail after that one couldn't be stored. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** When a mail was last handled. */
  @TimeColumn('read_at', { nullable: true })
  readAt!: Date | null;

  /** The node that reads the mailbox; null: none. */
  @CodeColumn('node_id', { nullable: true })
  nodeId!: string | null;

  @TimeColumn('leased_until', { nullable: true })
  leasedUntil!: Date | null;
}
