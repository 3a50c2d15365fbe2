import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { Chat } from '../chats/model/chat.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';
import { PushSubscription } from './push-subscription.entity.js';
import type { PushKind } from './push-kind.js';

/** A notification to send. It has no content, which is read when it's sent. A chat has one for each subscription. */
@Entity('push_notifications')
@Index('ix_push_notifications_due', ['dueAt'])
@Index('ix_push_notifications_chat', ['organizationId', 'chatId'])
export class PushNotification {
  @KeyColumn('pk_push_notifications', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_push_notifications', 'subscription_id')
  subscriptionId!: string;

  @KeyColumn('pk_push_notifications', 'chat_id')
  chatId!: string;

  @CodeColumn('kind')
  kind!: PushKind;

  /** When the next attempt is due, or the lease of the current one ends. */
  @TimeColumn('due_at')
  dueAt!: Date;

  /** When a retry may be made at the earliest; null before the first attempt. */
  @TimeColumn('retry_at', { nullable: true })
  retryAt!: Date | null;

  @TimeColumn('expires_at')
  expiresAt!: Date;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Raised by each lease and each newer event, so that an older attempt changes nothing. */
  @Column({ type: 'integer', default: 0 })
  lease!: number;

  @ManyToOne(() => PushSubscription, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_push_notifications_subscription', 'subscription_id')
  subscription?: PushSubscription;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_push_notifications_chat', 'chat_id')
  chat?: Chat;
}
