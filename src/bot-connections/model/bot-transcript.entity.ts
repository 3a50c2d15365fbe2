import { Column, Entity, ManyToOne } from 'typeorm';
import { Chat } from '../../chats/model/chat.entity.js';
import { CodeColumn, JoinInOrganization, KeyColumn, TimeColumn } from '../../platform/database/columns.js';
import type { Transcript } from './transcript.js';

/** What an endpoint said in a chat, in its own form. */
@Entity('bot_transcripts')
export class BotTranscript {
  @KeyColumn('pk_bot_transcripts', 'organization_id')
  organizationId!: string;

  @KeyColumn('pk_bot_transcripts', 'chat_id')
  chatId!: string;

  /** The only connection that may get the transcript. */
  @CodeColumn('connection_id')
  connectionId!: string;

  @Column({ type: 'jsonb' })
  content!: Transcript;

  @TimeColumn('updated_at')
  updatedAt!: Date;

  @ManyToOne(() => Chat, { onDelete: 'CASCADE' })
  @JoinInOrganization('fk_bot_transcripts_chat', 'chat_id')
  chat?: Chat;
}
