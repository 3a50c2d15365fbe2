import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Chat } from '../../chats/model/chat.entity.js';
import { Organization } from '../../organizations/organization.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { MailKind, MailStatus } from './mail.js';

/** An e-mail: sent at least once, with the same Message-ID each time. */
@Entity('mails')
@Check('ck_mails_status', `status IN ('WAITING', 'SENT', 'BOUNCED', 'FAILED', 'LAPSED', 'TOO_MANY')`)
@Index('ix_mails_due', ['dueAt'], { where: `status = 'WAITING'` })
@Index('ix_mails_token', ['token'])
@Index('ix_mails_chat', ['organizationId', 'chatId', 'id'], { where: 'chat_id IS NOT NULL' })
@Index('ix_mails_tried', ['organizationId', 'triedAt'], { where: 'visitor_id IS NOT NULL AND tried_at IS NOT NULL' })
@Index('uq_mails_missed', ['organizationId', 'chatId', 'afterSeq'], { unique: true, where: 'after_seq IS NOT NULL' })
@Index('uq_mails_ended', ['organizationId', 'chatId', 'endedAt'], { unique: true, where: 'ended_at IS NOT NULL' })
@Index('ix_mails_agent', ['organizationId', 'agentId', 'createdAt'], { where: 'agent_id IS NOT NULL' })
@Index('ix_mails_content', ['createdAt'], { where: 'content IS NOT NULL' })
@Index('ix_mails_without_chat', ['createdAt'], { where: 'chat_id IS NULL' })
export class Mail {
  @KeyColumn('pk_mails', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_mails')
  id!: string;

  @CodeColumn()
  kind!: MailKind;

  @CodeColumn('status', { default: 'WAITING' })
  status!: MailStatus;

  /** The address that gets it. */
  @Column('text')
  recipient!: string;

  /** Random text in its Message-ID, its Reply-To, and its envelope sender. */
  @CodeColumn()
  token!: string;

  @CodeColumn('chat_id', { nullable: true })
  chatId!: string | null;

  @CodeColumn('visitor_id', { nullable: true })
  visitorId!: string | null;

  @CodeColumn('agent_id', { nullable: true })
  agentId!: string | null;

  @CodeColumn('language', { nullable: true })
  language!: string | null;

  /** Of a missed answer: the `seq` of the last message that the visitor had read or answered. */
  @Column({ name: 'after_seq', type: 'integer', nullable: true })
  afterSeq!: number | null;

  /** Of a transcript that's sent because the chat ended: when it did. */
  @TimeColumn('ended_at', { nullable: true })
  endedAt!: Date | null;

  /** The plain text that was sent, for 30 days. */
  @Column({ type: 'text', nullable: true })
  content!: string | null;

  /** How many tries have ended. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** How often a node has leased it. Only the node with the last lease may record what became of it. */
  @Column({ type: 'integer', default: 0 })
  lease!: number;

  /** When it's tried next or, while a node has it, when other nodes may take it. */
  @TimeColumn('due_at')
  dueAt!: Date;

  @TimeColumn('first_tried_at', { nullable: true })
  firstTriedAt!: Date | null;

  @TimeColumn('tried_at', { nullable: true })
  triedAt!: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('sent_at', { nullable: true })
  sentAt!: Date | null;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_mails_organization' })
  organization?: Organization;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_mails_chat', 'chat_id')
  chat?: Chat | null;
}
