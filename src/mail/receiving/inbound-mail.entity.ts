import { Check, Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { Chat } from '../../chats/model/chat.entity.js';
import type { StoredFile } from '../../files/file.js';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { InboundStatus } from './inbound-mail.js';

/** An e-mail that arrived. */
@Entity('inbound_mails')
@Check('ck_inbound_mails_status', `status IN ('STORED', 'TO_CHECK', 'ACCEPTED', 'DROPPED', 'REFUSED', 'PROCESSED')`)
@Unique('uq_inbound_mails_key', ['organizationId', 'key'])
@Index('ix_inbound_mails_chat', ['organizationId', 'chatId', 'receivedAt'])
@Index('ix_inbound_mails_message', ['organizationId', 'messageId'], { where: 'full_text IS NOT NULL' })
@Index('ix_inbound_mails_mail', ['organizationId', 'mailId', 'receivedAt'])
@Index('ix_inbound_mails_to_check', ['organizationId', 'chatId'], { where: `status = 'TO_CHECK'` })
@Index('ix_inbound_mails_old', ['receivedAt'], { where: `status NOT IN ('STORED', 'ACCEPTED')` })
export class InboundMail {
  @KeyColumn('pk_inbound_mails', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_inbound_mails')
  id!: string;

  /** Null: it's about a mail to an agent. */
  @CodeColumn('chat_id', { nullable: true })
  chatId!: string | null;

  /** The mail of ours that it answers. */
  @CodeColumn('mail_id')
  mailId!: string;

  /** The hash of what makes it the same mail: its Message-ID, its sender, and whether it has proof. */
  @CodeColumn()
  key!: string;

  @CodeColumn()
  status!: InboundStatus;

  /** Why it was refused, or what a bounce says. */
  @CodeColumn('reason', { nullable: true })
  reason!: string | null;

  @Column({ type: 'text', nullable: true })
  sender!: string | null;

  /** The sender's own words, while agents are to check them. */
  @Column({ type: 'text', nullable: true })
  content!: string | null;

  /** The beginning of the whole text, with quotes, if that's more than the message has. */
  @Column({ name: 'full_text', type: 'text', nullable: true })
  fullText!: string | null;

  /** Its files, while agents are to check it. */
  @Column({ name: 'attachments', type: 'json', nullable: true })
  files!: StoredFile[] | null;

  /** The message that it became. */
  @CodeColumn('message_id', { nullable: true })
  messageId!: string | null;

  @TimeColumn('received_at')
  receivedAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_inbound_mails_organization' })
  organization?: Organization;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_inbound_mails_chat', 'chat_id')
  chat?: Chat | null;
}
