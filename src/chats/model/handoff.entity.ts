import { Check, Column, Entity, Index, ManyToOne } from 'typeorm';
import type { ActorType } from '../../auth/context/request-context.js';
import type { OnUnanswered } from '../../groups/routing.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';

/** How a stay in the queue ended. */
export type HandoffOutcome = 'ASSIGNED' | 'RETURNED' | 'MOVED' | 'CLOSED';

/** The error that makes a bot hand a chat over. For agents and operators only: it may quote anything. */
export interface FailureCause {
  name: string;
  message: string;
}

/** How an agent got a chat. */
export const HOWS = ['CLAIMED', 'OFFERED', 'AUTOMATIC', 'ASSIGNED'] as const;
export type How = (typeof HOWS)[number];

/** Why a chat was taken from its agent. NO_ROOM: it was snoozed, and its agent has no room for it. */
export const UNASSIGN_REASONS = ['RELEASED', 'OFFLINE', 'DISABLED', 'DELETED', 'LEFT_GROUP', 'NO_ROOM'] as const;
export type UnassignReason = (typeof UNASSIGN_REASONS)[number];

/** What a queued chat waits for. */
export interface HandoffRequest {
  groupId: string;
  /** Why the chat is transferred. The visitor and webhooks see it. */
  reason?: string | null;
  /** For agents only. */
  summary?: string | null;
  /** For agents and operators only. */
  cause?: FailureCause | null;
  /** Seconds until the chat is unanswered; 0: never. Defaults to the group's value. */
  maxWaitSeconds?: number | null;
  /** Defaults to the group's value. */
  onUnanswered?: OnUnanswered | null;
}

/** A chat's stay in a group's queue, from start to end. A QUEUED chat has exactly one running hand-off. */
@Entity('handoffs')
@Check('ck_handoffs_outcome', `outcome IN ('ASSIGNED', 'RETURNED', 'MOVED', 'CLOSED')`)
@Check('ck_handoffs_ended', '(ended_at IS NULL) = (outcome IS NULL)')
@Index('uq_handoffs_running', ['organizationId', 'chatId'], { unique: true, where: 'ended_at IS NULL' })
@Index('ix_handoffs_chat', ['organizationId', 'chatId', 'id'])
@Index('ix_handoffs_began', ['organizationId', 'beganAt'])
@Index('ix_handoffs_assigned', ['organizationId', 'groupId', 'endedAt'], { where: `outcome = 'ASSIGNED'` })
@Index('ix_handoffs_of_agent', ['organizationId', 'agentId', 'beganAt'], { where: `outcome = 'ASSIGNED'` })
@Index('ix_handoffs_due', ['dueAt'], {
  where: 'ended_at IS NULL AND unanswered_at IS NULL AND due_at IS NOT NULL',
})
export class Handoff {
  @KeyColumn('pk_handoffs', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_handoffs')
  id!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn('group_id')
  groupId!: string;

  /** Who queued the chat, with their name at that time. */
  @CodeColumn('by_type')
  byType!: ActorType;

  @CodeColumn('by_id', { nullable: true })
  byId!: string | null;

  @Column({ name: 'by_name', type: 'text', nullable: true })
  byName!: string | null;

  /** Why the bot transferred the chat. The visitor sees it. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** For agents; visitors never see it. */
  @Column({ type: 'text', nullable: true })
  summary!: string | null;

  /** The error that made the bot hand the chat over. For agents; visitors and webhooks never see it. */
  @Column({ type: 'jsonb', nullable: true })
  cause!: FailureCause | null;

  /** The agent's note to the bot when the chat was returned. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** The agent who had the chat before it was queued. */
  @CodeColumn('previous_agent_id', { nullable: true })
  previousAgentId!: string | null;

  @TimeColumn('began_at')
  beganAt!: Date;

  /** Since when the visitor waits: earlier than `beganAt` if the chat was queued before and no agent wrote since. */
  @TimeColumn('queued_at')
  queuedAt!: Date;

  /** When the chat counts as unanswered; null: never. */
  @TimeColumn('due_at', { nullable: true })
  dueAt!: Date | null;

  @CodeColumn('on_unanswered')
  onUnanswered!: OnUnanswered;

  @TimeColumn('unanswered_at', { nullable: true })
  unansweredAt!: Date | null;

  @TimeColumn('ended_at', { nullable: true })
  endedAt!: Date | null;

  @CodeColumn('outcome', { nullable: true })
  outcome!: HandoffOutcome | null;

  @CodeColumn('how', { nullable: true })
  how!: How | null;

  /** The agent who was assigned the chat. */
  @CodeColumn('agent_id', { nullable: true })
  agentId!: string | null;

  /** That agent's first message. Stored when the chat leaves the agent. */
  @TimeColumn('first_reply_at', { nullable: true })
  firstReplyAt!: Date | null;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_handoffs_chat', 'chat_id')
  chat?: Chat;
}
