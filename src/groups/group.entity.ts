import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';
import type { OfficeHours } from '../organizations/office-hours.js';
import type { OnUnanswered, Routing } from './routing.js';

/** A group of agents. The database guarantees that exactly one group of an organization is the default. */
@Entity('groups')
@Check('ck_groups_routing', `routing IN ('MANUAL', 'OFFER', 'AUTOMATIC')`)
@Check('ck_groups_on_unanswered', `on_unanswered IN ('KEEP', 'RETURN_TO_BOT')`)
@Index('ix_groups_hours_due', ['hoursDueAt'], { where: 'hours_due_at IS NOT NULL' })
@Index('uq_groups_default', ['organizationId'], { unique: true, where: 'is_default' })
export class Group {
  @KeyColumn('pk_groups', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_groups')
  id!: string;

  @Column('text')
  name!: string;

  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault!: boolean;

  /** How a waiting chat finds an agent (CONTRACT: Routing). */
  @CodeColumn('routing', { default: 'MANUAL' })
  routing!: Routing;

  /** How long an agent has to answer an offer. */
  @Column({ name: 'offer_seconds', type: 'integer', default: 30 })
  offerSeconds!: number;

  /** The most pending offers of an agent. Offers from other groups count too. */
  @Column({ name: 'max_pending_offers', type: 'integer', default: 2 })
  maxPendingOffers!: number;

  /** How long a chat waits until it counts as unanswered; 0: forever. */
  @Column({ name: 'max_wait_seconds', type: 'integer', default: 180 })
  maxWaitSeconds!: number;

  @CodeColumn('on_unanswered', { default: 'KEEP' })
  onUnanswered!: OnUnanswered;

  /** How long an agent may be offline until their chats are queued again; 0: forever. */
  @Column({ name: 'offline_reassign_seconds', type: 'integer', default: 120 })
  offlineReassignSeconds!: number;

  /** When its agents answer; null: as the organization says. */
  @Column({ name: 'office_hours', type: 'json', nullable: true })
  officeHours!: OfficeHours | null;

  /** The current or next open time. Null: always open. */
  @TimeColumn('opens_at', { nullable: true })
  opensAt!: Date | null;

  @TimeColumn('closes_at', { nullable: true })
  closesAt!: Date | null;

  /** When it opens again after that. */
  @TimeColumn('reopens_at', { nullable: true })
  reopensAt!: Date | null;

  /** When these times are computed again; null without office hours. */
  @TimeColumn('hours_due_at', { nullable: true })
  hoursDueAt!: Date | null;

  /** The only bot that gets the group's chats; null: every bot does. */
  @CodeColumn('bot_id', { nullable: true })
  botId!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_groups_organization' })
  organization?: Organization;

  @ManyToOne('Bot', { onDelete: 'SET NULL' })
  @JoinInOrganization('fk_groups_bot', 'bot_id')
  bot?: unknown;
}
