import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Bot } from '../bots/bot.entity.js';
import { Organization } from '../organizations/organization.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import type { EventType } from './event-type.js';
import type { ReceiverKind } from './lane.js';

/** Who gets events, and which. Its deliveries are its lane. What only receivers of its kind need is in a table of that kind. */
@Entity('receivers')
@Index('uq_receivers_bot', ['organizationId', 'botId', 'kind'], { unique: true })
@Check('ck_receivers_kind', `kind IN ('WEBHOOK', 'SUBSCRIPTION', 'CONNECTION')`)
export class Receiver {
  @KeyColumn('pk_receivers', 'organization_id')
  organizationId!: string;

  /** Begins with the prefix of its kind. */
  @KeyColumn('pk_receivers')
  id!: string;

  @CodeColumn()
  kind!: ReceiverKind;

  /** The bot that gets the events; null: they're the organization's. */
  @CodeColumn('bot_id', { nullable: true })
  botId!: string | null;

  /** Null: every event. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null;

  /** The senders whose messages it gets; null: all. */
  @Column({ name: 'sender_types', type: 'text', array: true, nullable: true })
  senderTypes!: string[] | null;

  /** Whether events are stored for it. */
  @Column({ name: 'is_enabled', type: 'boolean', default: true })
  isEnabled!: boolean;

  /** Why Parley disabled it; null if a person did. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  @ManyToOne(() => Bot, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_receivers_bot', 'bot_id')
  bot?: Bot;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_receivers_organization' })
  organization?: Organization;
}
