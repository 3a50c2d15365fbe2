import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Agent } from '../../agents/agent.entity.js';
import { Group } from '../../groups/group.entity.js';
import type { AiDisclosure } from '../../platform/locale/ai-disclosure.js';
import type { Channel } from './channel.js';
import type { ChatStatus } from './chat-status.js';
import type { StoredAttributes } from '../../visitors/visitors.queries.js';
import { Visitor } from '../../visitors/visitor.entity.js';

/** What a bot should know of a chat that it gets. */
export interface BotNote {
  /** The author's name. */
  by: string | null;
  text: string;
}

/** A visitor's conversation. `messageCount` is the highest `seq` of its messages. */
@Entity('chats')
@Check('ck_chats_status', `status IN ('ACTIVE', 'QUEUED', 'CLOSED', 'ARCHIVED')`)
@Check('ck_chats_agent', `agent_id IS NULL OR status = 'ACTIVE'`)
@Index('ix_chats_visitor', ['organizationId', 'visitorId', 'id'])
@Index('ix_chats_status', ['organizationId', 'status', 'id'])
@Index('ix_chats_group', ['organizationId', 'groupId'])
@Index('ix_chats_agent', ['organizationId', 'agentId'], { where: 'agent_id IS NOT NULL' })
@Index('ix_chats_waiting', ['organizationId', 'groupId', 'queuedAt', 'id'], {
  where: `status = 'QUEUED' AND erased_at IS NULL`,
})
// Indexes on the slot of the last activity (chat-activity.ts), which a decorator can't express.
@Index('ix_chats_open_activity', { synchronize: false })
@Index('ix_chats_bot_activity', { synchronize: false })
@Index('ix_chats_snoozed', ['snoozedUntil'], { where: 'snoozed_until IS NOT NULL' })
@Index('ix_chats_ended_of_agent', ['organizationId', 'lastAgentId', 'statusChangedAt', 'id'], {
  where: `status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
})
@Index('ix_chats_ended', ['organizationId', 'groupId', 'statusChangedAt', 'id'], {
  where: `status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
})
@Index('ix_chats_tagged', ['organizationId', 'groupId', 'id'], { where: 'has_tags AND erased_at IS NULL' })
@Index('ix_chats_ended_of_all', ['organizationId', 'statusChangedAt', 'id'], {
  where: `status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
})
export class Chat {
  @KeyColumn('pk_chats', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_chats')
  id!: string;

  @CodeColumn('visitor_id')
  visitorId!: string;

  @CodeColumn('group_id')
  groupId!: string;

  @CodeColumn('agent_id', { nullable: true })
  agentId!: string | null;

  @CodeColumn()
  status!: ChatStatus;

  @TimeColumn('status_changed_at')
  statusChangedAt!: Date;

  @Column({ type: 'json', nullable: true })
  metadata!: Record<string, unknown> | null;

  /** What bots, agents, and administrators know of the chat. */
  @Column({ type: 'json', nullable: true, select: false })
  attributes!: StoredAttributes;

  /** When they last changed. */
  @TimeColumn('attributes_at', { nullable: true, select: false })
  attributesAt!: Date | null;

  /** What the visitor reads before the first word of an AI; null: not known. */
  @Column({ name: 'ai_disclosure', type: 'json', nullable: true })
  aiDisclosure!: AiDisclosure | null;

  /** The newest note of an agent, or of another bot, to the bot that got the chat. Visitors never see it. */
  @Column({ name: 'bot_note', type: 'json', nullable: true, select: false })
  botNote!: BotNote | null;

  /** When that bot got the chat. */
  @TimeColumn('bot_note_at', { nullable: true, select: false })
  botNoteAt!: Date | null;

  /** The title that a bot or an agent gave it; null: none. */
  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ name: 'message_count', type: 'integer', default: 0 })
  messageCount!: number;

  @TimeColumn('last_message_at', { nullable: true })
  lastMessageAt!: Date | null;

  /** The ten minutes of the last message (chat-activity.ts); null until the first one. */
  @TimeColumn('activity_slot', { nullable: true })
  activitySlot!: Date | null;

  @TimeColumn('first_response_at', { nullable: true })
  firstResponseAt!: Date | null;

  /** When the chat stopped taking messages, because its visitor was erased or it is being removed. */
  @TimeColumn('erased_at', { nullable: true })
  erasedAt!: Date | null;

  /** The messages up to this `seq` are tombstones. */
  @Column({ name: 'deleted_seq', type: 'integer', default: 0 })
  deletedSeq!: number;

  /** The last agent, even after the chat's end. The agent may have been removed. */
  @CodeColumn('last_agent_id', { nullable: true })
  lastAgentId!: string | null;

  /**
   * Since when it waits, while it is QUEUED. A chat that its agent hasn't answered keeps it, even when it ends, in case it returns to the
   * queue.
   */
  @TimeColumn('queued_at', { nullable: true })
  queuedAt!: Date | null;

  /** Rises with every change other than a message. */
  @Column({ type: 'integer', default: 0 })
  rev!: number;

  /** The time of the visitor's first message without an answer from a bot or an agent. */
  @TimeColumn('waiting_since', { nullable: true })
  waitingSince!: Date | null;

  /** The `seq` of the visitor's last message. */
  @Column({ name: 'last_visitor_seq', type: 'integer', default: 0 })
  lastVisitorSeq!: number;

  /** The visitor has stopped what a bot wrote after this `seq`, and doesn't wait for an answer to the messages up to it. */
  @Column({ name: 'stopped_seq', type: 'integer', nullable: true, select: false })
  stoppedSeq!: number | null;

  /** When that was. */
  @TimeColumn('stopped_at', { nullable: true, select: false })
  stoppedAt!: Date | null;

  /** When it was assigned to its agent. */
  @TimeColumn('assigned_at', { nullable: true })
  assignedAt!: Date | null;

  /** The agent's first message since the assignment. */
  @TimeColumn('agent_replied_at', { nullable: true })
  agentRepliedAt!: Date | null;

  /** The last message from an agent. */
  @TimeColumn('agent_wrote_at', { nullable: true })
  agentWroteAt!: Date | null;

  /** When its last agent left it. */
  @TimeColumn('agent_left_at', { nullable: true })
  agentLeftAt!: Date | null;

  /** Its agent, while the agent snoozes it. A trigger clears both columns when the chat leaves the agent. */
  @CodeColumn('snoozed_by', { nullable: true })
  snoozedBy!: string | null;

  /** When it wakes; null: when the visitor writes. A trigger sets it to the time of the visitor's message. */
  @TimeColumn('snoozed_until', { nullable: true })
  snoozedUntil!: Date | null;

  /** Until when it was snoozed when it ended; infinity: until the visitor writes; null: it wasn't, or it's open. */
  @TimeColumn('ended_snooze_until', { nullable: true, select: false })
  endedSnoozeUntil!: Date | null;

  /** The epoch of the chat's last row in `chat_changes`; only a trigger writes it. */
  @Column({ name: 'change_epoch', type: 'bigint', nullable: true, select: false, insert: false, update: false })
  changeEpoch!: string | null;

  /** Whether it may have tags. Most chats have none, so only these are looked up in `chat_tags`. */
  @Column({ name: 'has_tags', type: 'boolean', nullable: true, select: false })
  hasTags!: boolean | null;

  /** How many e-mails agents are to check. Null: none ever arrived. */
  @Column({ name: 'mails_to_check', type: 'integer', nullable: true, select: false })
  mailsToCheck!: number | null;

  @CodeColumn('channel', { default: 'WIDGET' })
  channel!: Channel;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Visitor, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chats_visitor', 'visitor_id')
  visitor?: Visitor;

  @ManyToOne(() => Group, { deferrable: 'INITIALLY DEFERRED' })
  @JoinInOrganization('fk_chats_group', 'group_id')
  group?: Group;

  @ManyToOne(() => Agent, { deferrable: 'INITIALLY DEFERRED' })
  @JoinInOrganization('fk_chats_agent', 'agent_id')
  agent?: Agent | null;
}
