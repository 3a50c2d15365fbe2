import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Bot } from '../bots/bot.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { Organization } from '../organizations/organization.entity.js';
import type { EventType } from '../outbox/event-type.js';
import type { SenderType } from '../messages/message.js';

/** A URL that receives an organization's events. A row with a bot is the bot's subscription (`src/pull`) or connection (`src/bot-connections`). */
@Entity('webhooks')
@Index('uq_webhooks_bot', ['organizationId', 'botId', 'isConnection'], { unique: true })
export class Webhook {
  @KeyColumn('pk_webhooks', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_webhooks')
  id!: string;

  @Column('text')
  url!: string;

  /** Null: every event. */
  @Column({ type: 'text', array: true, nullable: true })
  events!: EventType[] | null;

  /** The senders whose messages are sent; null: all. */
  @Column({ name: 'sender_types', type: 'text', array: true, nullable: true })
  senderTypes!: SenderType[] | null;

  @Column({ name: 'is_enabled', type: 'boolean', default: true })
  isEnabled!: boolean;

  /** Why Parley disabled it; null if a person did. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  /** The sealed secret. */
  @Column({ type: 'bytea', select: false })
  secret!: Buffer;

  /** The sealed previous secret, which also signs until it expires. */
  @Column({ name: 'previous_secret', type: 'bytea', nullable: true, select: false })
  previousSecret!: Buffer | null;

  @TimeColumn('previous_secret_expires_at', { nullable: true })
  previousSecretExpiresAt!: Date | null;

  @TimeColumn('created_at')
  createdAt!: Date;

  /** The bot that gets the events; null: they're sent to the URL. */
  @CodeColumn('bot_id', { nullable: true })
  botId!: string | null;

  /** Whether Parley runs the bot's turns for these events, by its connection. */
  @Column({ name: 'is_connection', type: 'boolean', default: false })
  isConnection!: boolean;

  @ManyToOne(() => Bot, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_webhooks_bot', 'bot_id')
  bot?: Bot;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'fk_webhooks_organization' })
  organization?: Organization;
}
