import { Entity, Index, ManyToOne } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { Chat } from '../../chats/model/chat.entity.js';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';

/** An agent who follows a chat, to learn of its visitor's messages. */
@Entity('chat_followers')
@Index('ix_chat_followers_chat', ['organizationId', 'chatId'])
export class ChatFollower {
  @KeyColumn('pk_chat_followers', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_chat_followers', 'agent_id')
  agentId!: string;

  @KeyColumn('pk_chat_followers', 'chat_id')
  chatId!: string;

  @TimeColumn('followed_at')
  followedAt!: Date;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_followers_agent', 'agent_id')
  agent?: Agent;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_chat_followers_chat', 'chat_id')
  chat?: Chat;
}
