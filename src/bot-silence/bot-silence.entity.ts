import { Entity, ManyToOne } from 'typeorm';
import { Chat } from '../chats/model/chat.entity.js';
import { JoinInOrganization, KeyColumn, TimeColumn } from '../platform/database/columns.js';

/** A chat whose bots haven't taken a visitor's message for a while. Agents see it before they get the chat. */
@Entity('bot_silences')
export class BotSilence {
  @KeyColumn('pk_bot_silences', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_silences', 'chat_id')
  chatId!: string;

  /** The time of the first such message, or of the later moment when the bots got the chat. */
  @TimeColumn('since')
  since!: Date;

  /** When a node noticed it, by the database's clock. */
  @TimeColumn('noticed_at')
  noticedAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_bot_silences_chat', 'chat_id')
  chat?: Chat;
}
