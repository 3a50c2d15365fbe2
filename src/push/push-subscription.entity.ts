import { Column, Entity, Index, ManyToOne } from 'typeorm';
import { Agent } from '../agents/agent.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** A browser of an agent that gets notifications, as long as its session lasts. */
@Entity('push_subscriptions')
@Index('ix_push_subscriptions_agent', ['organizationId', 'agentId'])
export class PushSubscription {
  @KeyColumn('pk_push_subscriptions', 'organization_id')
  organizationId!: string;

  /** The hash of the endpoint. */
  @KeyColumn('pk_push_subscriptions')
  id!: string;

  @CodeColumn('agent_id')
  agentId!: string;

  @CodeColumn('session_id')
  sessionId!: string;

  /** The endpoint and the browser's keys, encrypted with SECRET_KEY, because anyone who has the endpoint can send to it. */
  @Column({ type: 'bytea', select: false })
  sealed!: Buffer;

  /** The VAPID key that the browser subscribed with. */
  @CodeColumn('public_key')
  publicKey!: string;

  /** The language of notifications, as in `en` or `de`. */
  @CodeColumn('language')
  language!: string;

  /** The refusals (4xx) since the last success. */
  @Column({ type: 'integer', default: 0 })
  refusals!: number;

  /** When the browser last sent it. */
  @TimeColumn('subscribed_at')
  subscribedAt!: Date;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_push_subscriptions_agent', 'agent_id')
  agent?: Agent;
}
