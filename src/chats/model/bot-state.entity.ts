import { Column, Entity, ManyToOne } from 'typeorm';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import { Chat } from './chat.entity.js';

/** What a bot keeps about a chat. It has no foreign key to its bot: it's removed with its chat. */
@Entity('bot_states')
export class BotState {
  @KeyColumn('pk_bot_states', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_states', 'chat_id')
  chatId!: string;

  @KeyColumn('pk_bot_states', 'bot_id')
  botId!: string;

  @Column('json')
  state!: Record<string, unknown>;

  /** Rises by one with every change. */
  @Column('integer')
  version!: number;

  @TimeColumn('updated_at')
  updatedAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_bot_states_chat', 'chat_id')
  chat?: Chat;
}
