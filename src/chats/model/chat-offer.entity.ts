import { Check, Entity, Index, ManyToOne } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';

/** How an offer ended (CONTRACT: Agent API). */
export const OFFER_ENDS = ['ACCEPTED', 'DECLINED', 'EXPIRED', 'WITHDRAWN'] as const;
export type OfferEnd = (typeof OFFER_ENDS)[number];

/** An offer of a waiting chat to one agent. A chat has at most one pending offer. */
@Entity('chat_offers')
@Check('ck_chat_offers_reason', `reason IN ('ACCEPTED', 'DECLINED', 'EXPIRED', 'WITHDRAWN')`)
@Check('ck_chat_offers_ended', '(ended_at IS NULL) = (reason IS NULL)')
@Index('uq_chat_offers_pending', ['organizationId', 'chatId'], { unique: true, where: 'ended_at IS NULL' })
@Index('ix_chat_offers_chat', ['organizationId', 'chatId', 'createdAt'])
@Index('ix_chat_offers_of_agent', ['organizationId', 'agentId', 'endedAt'])
@Index('ix_chat_offers_due', ['expiresAt'], { where: 'ended_at IS NULL' })
export class ChatOffer {
  @KeyColumn('pk_chat_offers', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_chat_offers')
  id!: string;

  @CodeColumn('chat_id')
  chatId!: string;

  @CodeColumn('handoff_id')
  handoffId!: string;

  @CodeColumn('agent_id')
  agentId!: string;

  @TimeColumn('created_at')
  createdAt!: Date;

  @TimeColumn('expires_at')
  expiresAt!: Date;

  @TimeColumn('ended_at', { nullable: true })
  endedAt!: Date | null;

  @CodeColumn('reason', { nullable: true })
  reason!: OfferEnd | null;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_offers_chat', 'chat_id')
  chat?: Chat;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_offers_agent', 'agent_id')
  agent?: Agent;
}
