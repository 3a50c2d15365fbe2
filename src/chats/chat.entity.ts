import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { Group } from '../groups/group.entity.js';
import type { ChatStatus } from './chat-status.js';
import { Visitor } from '../visitors/visitor.entity.js';

const organizationColumn = { name: 'organization_id', referencedColumnName: 'organizationId' };

/** A visitor's conversation. `messageCount` is the highest `seq` of its messages. */
@Entity('chats')
@Check('ck_chats_status', `status IN ('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED')`)
@Check('ck_chats_agent', `agent_id IS NULL OR status = 'ACTIVE'`)
@Index('ix_chats_visitor', ['organizationId', 'visitorId', 'id'])
@Index('ix_chats_status', ['organizationId', 'status', 'id'])
@Index('ix_chats_group', ['organizationId', 'groupId'])
@Index('ix_chats_agent', ['organizationId', 'agentId'], { where: 'agent_id IS NOT NULL' })
export class Chat {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_chats' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'pk_chats' })
  id!: string;

  @Column({ name: 'visitor_id', type: 'text', collation: 'C' })
  visitorId!: string;

  @Column({ name: 'group_id', type: 'text', collation: 'C' })
  groupId!: string;

  @Column({ name: 'agent_id', type: 'text', collation: 'C', nullable: true })
  agentId!: string | null;

  @Column({ type: 'text', collation: 'C' })
  status!: ChatStatus;

  @Column({ name: 'status_changed_at', type: 'timestamptz', precision: 3 })
  statusChangedAt!: Date;

  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  @Column({ name: 'message_count', type: 'integer', default: 0 })
  messageCount!: number;

  @Column({ name: 'last_message_at', type: 'timestamptz', precision: 3, nullable: true })
  lastMessageAt!: Date | null;

  @Column({ name: 'first_response_at', type: 'timestamptz', precision: 3, nullable: true })
  firstResponseAt!: Date | null;

  /** When the chat stopped taking messages, because its visitor is erased or it is being removed. */
  @Column({ name: 'erased_at', type: 'timestamptz', precision: 3, nullable: true })
  erasedAt!: Date | null;

  /** The messages up to this `seq` are tombstones. */
  @Column({ name: 'deleted_seq', type: 'integer', default: 0 })
  deletedSeq!: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @ManyToOne(() => Visitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { ...organizationColumn, foreignKeyConstraintName: 'fk_chats_visitor' },
    { name: 'visitor_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_chats_visitor' },
  ])
  visitor?: Visitor;

  @ManyToOne(() => Group, { deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { ...organizationColumn, foreignKeyConstraintName: 'fk_chats_group' },
    { name: 'group_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_chats_group' },
  ])
  group?: Group;

  @ManyToOne(() => Agent, { deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { ...organizationColumn, foreignKeyConstraintName: 'fk_chats_agent' },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_chats_agent' },
  ])
  agent?: Agent | null;
}
