import { Check, Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { CodeColumn, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';
import type { PauseReason } from './pause-reason.js';
import type { Role } from './role.js';

/** A person who answers chats. */
@Entity('agents')
@Check('ck_agents_role', `role IN ('AGENT', 'SUPERVISOR', 'ADMIN')`)
@Check('ck_agents_capacity', 'capacity BETWEEN 1 AND 100')
@Index('ix_agents_email_key', ['emailKey'], { where: 'password_hash IS NOT NULL' })
@Index('ix_agents_groups_left', ['groupsLeftAt'], { where: 'groups_left_at IS NOT NULL' })
@Unique('uq_agents_email', ['organizationId', 'emailKey'])
export class Agent {
  @KeyColumn('pk_agents', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_agents')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** The folded address (`foldText`): `Ada@` and `ada@` are one person. */
  @CodeColumn('email_key')
  emailKey!: string;

  @CodeColumn('role', { default: 'AGENT' })
  role!: Role;

  /** The most open chats that routing gives the agent. */
  @Column({ type: 'integer', default: 6 })
  capacity!: number;

  /** A disabled agent can neither sign in nor have a chat. */
  @Column({ name: 'is_enabled', type: 'boolean', default: true })
  isEnabled!: boolean;

  @Column({ name: 'avatar_url', type: 'text', nullable: true })
  avatarUrl!: string | null;

  /** Whether routing may give chats to the agent. The agent sets it, and missed offers clear it. */
  @Column({ name: 'is_accepting', type: 'boolean', default: true })
  isAccepting!: boolean;

  /** Why the agent doesn't accept chats; null while they do, or without a reason. */
  @CodeColumn('pause_reason', { nullable: true })
  pauseReason!: PauseReason | null;

  /** The agent's last known input; null: none yet. */
  @TimeColumn('active_at', { nullable: true })
  activeAt!: Date | null;

  /** Whether the last input is too long ago (`away_after_minutes` of the organization). The next input ends it. */
  @Column({ name: 'is_away', type: 'boolean', default: false })
  isAway!: boolean;

  /** scrypt in PHC form; null: the agent signs in by links only. */
  @Column({ name: 'password_hash', type: 'text', nullable: true, select: false })
  passwordHash!: string | null;

  /** Consecutive offers that expired. */
  @Column({ name: 'missed_offers', type: 'integer', default: 0 })
  missedOffers!: number;

  /** When the last counted offer expired; null: never. */
  @TimeColumn('last_miss_at', { nullable: true })
  lastMissAt!: Date | null;

  /** The chats that the agent has. `ChatTransitions` keeps the count. */
  @Column({ name: 'open_chats', type: 'integer', default: 0 })
  openChats!: number;

  /** The offers that wait for the agent's answer. */
  @Column({ name: 'pending_offers', type: 'integer', default: 0 })
  pendingOffers!: number;

  @TimeColumn('last_assigned_at', { nullable: true })
  lastAssignedAt!: Date | null;

  /** When the last connection ended. An open connection isn't recorded here. */
  @TimeColumn('last_online_at', { nullable: true })
  lastOnlineAt!: Date | null;

  /** When the agent connected, or whether they take chats, or why not, changed since then; null: before this was recorded. */
  @TimeColumn('presence_at', { nullable: true })
  presenceAt!: Date | null;

  /** When the groups or the role changed. Null once the agent has no chat that they may no longer see. */
  @TimeColumn('groups_left_at', { nullable: true })
  groupsLeftAt!: Date | null;

  /** What the agent wants to be notified about by push; null: the defaults. */
  @Column({ name: 'push_settings', type: 'jsonb', nullable: true, select: false })
  pushSettings!: object | null;

  /** Whether the agent gets mails about chats while no page of theirs is open. */
  @Column({ name: 'mail_when_away', default: true, select: false })
  mailWhenAway!: boolean;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_agents_organization' })
  organization?: Organization;
}
